import { fileId } from '../../contract/metadata.ts'
import { uploadedFileHeader } from '../../contract/resumable-uploads.ts'
import { answer, id, nothing, text, unknown } from './account-operation.ts'
import type { Answer, Operation, Parameter } from './operation.ts'

const tag = 'Resumable uploads'
const version: Parameter = { name: 'Tus-Resumable', in: 'header', required: true, description: '1.0.0', schema: text }
const number = { type: 'integer' }
const location = { Location: { description: 'The address of the upload.', schema: text } }
const offset = { 'Upload-Offset': { description: 'Bytes received.', schema: number } }
const expires = {
  'Upload-Expires': { description: 'When an unfinished upload is removed. Each byte moves it.', schema: text },
}
const bytes = { 'application/offset+octet-stream': { type: 'string', format: 'binary' } }
const unknownMethod: Answer = { description: 'No method, or one that an upload does not have.' }
const ordered = {
  [uploadedFileHeader]: { description: 'The id of the file, once the upload has become an order.', schema: text },
}
const refused: Record<number, Answer> = {
  400: { description: 'An option, the length or the recording is wrong.' },
  402: { description: 'No payment method, or the card was declined. The bytes wait for `POST …/order`.' },
  413: { description: 'Over 10 GB.' },
  415: { description: 'The type is not supported.' },
  507: { description: 'No room is left for a file of this size.' },
}
const otherVersion: Answer = {
  description: '`Tus-Resumable` is not 1.0.0.',
  headers: { 'Tus-Version': { description: '1.0.0', schema: text } },
}
const busy: Answer = { description: 'Another request still writes to the upload. Try again after `Retry-After`.' }
const ofUpload = { 404: unknown, 412: otherVersion, 503: busy }

/** tus 1.0: https://tus.io/protocols/resumable-upload */
export const uploadOperations: readonly Operation[] = [
  {
    method: 'options',
    path: '/uploads/',
    tag,
    summary: 'Supported version, extensions and size',
    answers: {
      204: {
        description: 'What is supported.',
        headers: {
          'Tus-Version': { description: '1.0.0', schema: text },
          'Tus-Extension': { description: 'Names, separated by commas.', schema: text },
          'Tus-Max-Size': { description: 'Bytes of the largest upload.', schema: number },
        },
      },
    },
  },
  {
    method: 'post',
    path: '/uploads/',
    tag,
    summary: 'Begin a resumable upload',
    description:
      'tus 1.0 with creation, creation-with-upload, expiration and termination. `Upload-Metadata` has `filetype` and, all ' +
      'optional, `filename`, `options` (a query string as for POST files) and `idempotency_key`. A complete upload becomes ' +
      'an order. The first bytes may come with it, as `application/offset+octet-stream`.',
    parameters: [
      version,
      { name: 'Upload-Length', in: 'header', required: true, description: 'Bytes of the file.', schema: number },
      { name: 'Upload-Metadata', in: 'header', required: true, description: 'Pairs, in base64.', schema: text },
    ],
    body: { required: false, content: bytes },
    answers: {
      201: { description: 'Begun.', headers: { ...location, ...offset, ...expires, ...ordered } },
      ...refused,
      412: otherVersion,
    },
  },
  {
    method: 'head',
    path: '/uploads/{id}',
    tag,
    summary: 'How many bytes of an upload have been received',
    parameters: [id, version],
    answers: { 200: { description: 'Its state.', headers: { ...offset, ...ordered } }, ...ofUpload },
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
    body: { required: true, content: bytes },
    answers: {
      204: { description: 'Appended.', headers: { ...offset, ...expires, ...ordered } },
      ...refused,
      ...ofUpload,
      409: { description: 'The offset is not the end of what has been received.' },
    },
  },
  {
    method: 'delete',
    path: '/uploads/{id}',
    tag,
    summary: 'Give an upload up',
    parameters: [id, version],
    answers: { 204: nothing, ...ofUpload, 409: { description: 'It is becoming an order just now.' } },
  },
  {
    method: 'post',
    path: '/uploads/{id}',
    tag,
    summary: 'HEAD, PATCH or DELETE, for clients that cannot send them',
    parameters: [
      id,
      version,
      {
        name: 'X-HTTP-Method-Override',
        in: 'header',
        required: true,
        description: 'The method that is meant; all else is as for that method.',
        schema: { type: 'string', enum: ['HEAD', 'PATCH', 'DELETE'] },
      },
    ],
    answers: { 200: { description: 'As the method that is meant.' }, 204: nothing, 405: unknownMethod },
  },
  {
    method: 'post',
    path: '/uploads/{id}/order',
    tag,
    summary: 'Make the order of a complete upload, where the last PATCH could not or its answer was lost',
    parameters: [id],
    answers: {
      201: answer(fileId),
      ...refused,
      404: unknown,
      409: { description: 'The upload is not complete.' },
      503: busy,
    },
  },
]
