import {
  demoAccount,
  movedProgress,
  sampleDelay,
  sampleFile,
  sampleWebhook,
} from '../../../contract/account/sandbox.ts'
import {
  deliveryDetail,
  deliveryPage,
  newWebhook,
  redelivered,
  redeliverFailed,
  webhookOverview,
} from '../../../contract/account/webhooks.ts'
import { fileId } from '../../../contract/interface/metadata.ts'
import { badBody, nothing, operationsOf, pageQueries, queries, type Row, unknown } from '../http/operation.ts'

const changed = { 200: webhookOverview, 404: unknown }
const states = 'waiting, sending, delivered or failed.'

const resources: Record<string, readonly Row[]> = {
  Webhook: [
    ['get /webhook', 'The webhook', { 200: webhookOverview }],
    ['put /webhook', 'Set its URL', { 200: webhookOverview }, { body: newWebhook }],
    ['delete /webhook', 'Remove it', { 204: nothing }],
    ['post /webhook/secret', 'Rotate the secret; the old one also signs for 24 hours', changed],
    ['post /webhook/pause', 'Pause', changed],
    ['post /webhook/resume', 'Resume', changed],
    ['post /webhook/test', 'Send a test event', { 202: deliveryDetail, 404: unknown }],
    [
      'get /deliveries',
      'List deliveries, the newest first',
      { 200: deliveryPage, 400: badBody },
      { query: queries({ state: states, file: 'A file id.', ...pageQueries }) },
    ],
    ['get /deliveries/{id}', 'One delivery in full', { 200: deliveryDetail }],
    ['post /deliveries/{id}/redeliver', 'Resend a delivery', { 202: deliveryDetail }],
    [
      'post /deliveries/redeliver',
      'Resend all that failed since a time',
      { 202: redelivered },
      { body: redeliverFailed },
    ],
  ],
  'Sandbox tools': [
    [
      'post /tools/files',
      'Create a sample file at any progress (sandbox)',
      { 201: fileId, 402: 'The card was declined.' },
      { body: sampleFile },
    ],
    [
      'post /tools/talk',
      'Create a finished sample file with sound (sandbox)',
      { 201: fileId, 402: 'The card was declined.' },
    ],
    ['post /tools/files/{id}/progress', 'Set its progress (sandbox)', { 204: nothing }, { body: movedProgress }],
    ['post /tools/files/{id}/delay', 'Delay it (sandbox)', { 204: nothing }, { body: sampleDelay }],
    ['post /tools/webhook', 'Make deliveries fail (sandbox)', { 204: nothing }, { body: sampleWebhook }],
    ['post /demo', 'Create a demo account with a test card (sandbox)', { 201: demoAccount }, { authenticated: false }],
  ],
}

/** The rest of Parley's own interface: webhooks and their deliveries, and the sandbox tools. */
export const webhookOperations = operationsOf('/account', resources)
