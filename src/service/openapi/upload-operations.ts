import { fileId } from '../../contract/metadata.ts'
import { uploadedFileHeader } from '../../contract/resumable-uploads.ts'
import { answer, id, nothing, text, unknown } from './account-operation.ts'
import type { Answer, Operation, Parameter } from './operation.ts'

const tag = 'Resumable uploads'
const version: Parameter = { name: 'Tus-Resumable', in: 'header', required: true, description: '1.0.0', schema: text }
const number = { type: 'integer' }
const location = { Location: { description: 'The address of the upload.', schema: text } }
const offset = { 'Upload-Offset': { description: 'Bytes that have come.', schema: number } }
const ordered = {
  [uploadedFileHeader]: { description: 'The id of the file, once the upload has become an order.', schema: text },
}
const refused: Record<number, Answer> = {
  400: { description: 'An option, the length or the recording is wrong.' },
  402: { description: 'No payment method, or the card was declined. The bytes wait for `POST …/order`.' },
  413: { description: 'Over 10 GB.' },
  415: { description: 'The type is not supported.' },
}

/** tus 1.0: https://tus.io/protocols/resumable-upload */
export const uploadOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/uploads/',
    tag,
    summary: 'Begin a resumable upload',
    description:
      'tus 1.0 with creation, creation-with-upload and termination. `Upload-Metadata` has `filetype` and, all optional, ' +
      '`filename`, `options` (a query string as for POST files) and `idempotency_key`. A complete upload becomes an order.',
    parameters: [
      version,
      { name: 'Upload-Length', in: 'header', required: true, description: 'Bytes of the file.', schema: number },
      { name: 'Upload-Metadata', in: 'header', required: true, description: 'Pairs, in base64.', schema: text },
    ],
    answers: { 201: { description: 'Begun.', headers: location }, ...refused },
  },
  {
    method: 'head',
    path: '/uploads/{id}',
    tag,
    summary: 'How far an upload has come',
    parameters: [id, version],
    answers: { 200: { description: 'Its state.', headers: { ...offset, ...ordered } }, 404: unknown },
  },
  {
    method: 'patch',
    path: '/uploads/{id}',
    tag,
    summary: 'Send bytes from an offset; the last make the order',
    parameters: [
      id,
      version,
      { name: 'Upload-Offset', in: 'header', required: true, description: 'Where they begin.', schema: number },
    ],
    body: { required: true, content: { 'application/offset+octet-stream': { type: 'string', format: 'binary' } } },
    answers: {
      204: { description: 'Taken.', headers: { ...offset, ...ordered } },
      ...refused,
      404: unknown,
      409: { description: 'The offset is not where the upload stands.' },
    },
  },
  {
    method: 'delete',
    path: '/uploads/{id}',
    tag,
    summary: 'Give an upload up',
    parameters: [id, version],
    answers: { 204: nothing, 404: unknown },
  },
  {
    method: 'post',
    path: '/uploads/{id}/order',
    tag,
    summary: 'Make the order of a complete upload, where the last PATCH could not or its answer was lost',
    parameters: [id],
    answers: { 201: answer(fileId), ...refused, 404: unknown, 409: { description: 'The upload is not complete.' } },
  },
]
