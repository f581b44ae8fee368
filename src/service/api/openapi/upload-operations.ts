import { fileId } from '../../../contract/interface/metadata.ts'
import { uploadedFileHeader } from '../../../contract/interface/resumable-uploads.ts'
import { type Answer, nothing, operationsOf, text } from '../http/operation.ts'

const number = { type: 'integer' }
const version = { name: 'Tus-Resumable', required: true, description: '1.0.0', schema: text }
const spokenVersion = { 'Tus-Version': { description: '1.0.0', schema: text } }
const location = { Location: { description: 'The address of the upload.', schema: text } }
const offset = { 'Upload-Offset': { description: 'Bytes received.', schema: number } }
const expires = {
  'Upload-Expires': { description: 'When an unfinished upload expires. Each byte received extends it.', schema: text },
}
const bytes = { 'application/offset+octet-stream': { type: 'string', format: 'binary' } }
const ordered = {
  [uploadedFileHeader]: { description: 'The id of the file, once the upload has become an order.', schema: text },
}
const refused = {
  400: 'An option, the length or the recording is wrong.',
  402: 'No payment method, or the card was declined. The uploaded bytes are kept for `POST …/order`.',
  413: 'Over 10 GB.',
  415: 'The type is not supported.',
  507: 'The service is out of storage space for a file of this size.',
}
const otherVersion: Answer = { description: '`Tus-Resumable` is not 1.0.0.', headers: spokenVersion }
const busy = 'Another request is still writing to the upload. Retry after `Retry-After`.'
const ofUpload = { 412: otherVersion, 503: busy }

/** tus 1.0: https://tus.io/protocols/resumable-upload */
export const uploadOperations = operationsOf('/uploads', {
  'Resumable uploads': [
    [
      'options /',
      'Get the supported version, extensions and size',
      {
        204: {
          description: 'What is supported.',
          headers: {
            ...spokenVersion,
            'Tus-Extension': { description: 'Names, separated by commas.', schema: text },
            'Tus-Max-Size': { description: 'Bytes of the largest upload.', schema: number },
          },
        },
      },
    ],
    [
      'post /',
      'Start a resumable upload',
      {
        201: { description: 'Started.', headers: { ...location, ...offset, ...expires, ...ordered } },
        ...refused,
        412: otherVersion,
      },
      {
        description:
          'tus 1.0 with creation, creation-with-upload, expiration and termination. `Upload-Metadata` has `filetype` and, all ' +
          'optional, `filename`, `options` (a query string as for POST files) and `idempotency_key`. A complete upload becomes ' +
          'an order. The first bytes can be sent with it, as `application/offset+octet-stream`.',
        headers: [
          version,
          { name: 'Upload-Length', required: true, description: 'Bytes of the file.', schema: number },
          { name: 'Upload-Metadata', required: true, description: 'Pairs, in base64.', schema: text },
        ],
        body: { required: false, content: bytes },
      },
    ],
    [
      'head /{id}',
      'How many bytes of an upload have been received',
      { 200: { description: 'Its state.', headers: { ...offset, ...ordered } }, ...ofUpload },
      { headers: [version] },
    ],
    [
      'patch /{id}',
      'Send bytes from an offset; the last ones create the order',
      {
        204: { description: 'Appended.', headers: { ...offset, ...expires, ...ordered } },
        ...refused,
        ...ofUpload,
        409: 'The offset is not the end of what has been received.',
      },
      {
        headers: [version, { name: 'Upload-Offset', required: true, description: 'Where they start.', schema: number }],
        body: { required: true, content: bytes },
      },
    ],
    [
      'delete /{id}',
      'Cancel an upload',
      { 204: nothing, ...ofUpload, 409: 'It is being turned into an order.' },
      { headers: [version] },
    ],
    [
      'post /{id}',
      'HEAD, PATCH or DELETE, for clients that cannot send them',
      { 200: 'As for the intended method.', 204: nothing, 405: 'No method, or one that an upload does not have.' },
      {
        headers: [
          version,
          {
            name: 'X-HTTP-Method-Override',
            required: true,
            description: 'The intended method; everything else is as for that method.',
            schema: { type: 'string', enum: ['HEAD', 'PATCH', 'DELETE'] },
          },
        ],
      },
    ],
    [
      'post /{id}/order',
      'Create the order of a complete upload, if the last PATCH could not or its response was lost',
      { 201: fileId, ...refused, 409: 'The upload is not complete.', 503: busy },
    ],
  ],
})
