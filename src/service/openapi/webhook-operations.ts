import {
  demoAccount,
  movedProgress,
  sampleCard,
  sampleDelay,
  sampleFile,
  sampleWebhook,
} from '../../contract/account-sandbox.ts'
import {
  deliveryDetail,
  deliveryPage,
  newWebhook,
  redelivered,
  redeliverFailed,
  webhookOverview,
} from '../../contract/account-webhooks.ts'
import { fileId } from '../../contract/metadata.ts'
import {
  answer,
  badBody,
  id,
  jsonBody,
  nothing,
  operationsOf,
  pageQueries,
  queries,
  type Row,
  unknown,
} from './account-operation.ts'

const resources: Record<string, readonly Row[]> = {
  Webhook: [
    ['get', '/webhook', 'The webhook', { answers: { 200: answer(webhookOverview) } }],
    [
      'put',
      '/webhook',
      'Set its address',
      { body: jsonBody(newWebhook), answers: { 200: answer(webhookOverview), 400: badBody } },
    ],
    ['delete', '/webhook', 'Remove it', { answers: { 204: nothing } }],
    [
      'post',
      '/webhook/secret',
      'A new secret; the old one signs for 24 hours more',
      { answers: { 200: answer(webhookOverview), 404: unknown } },
    ],
    ['post', '/webhook/pause', 'Pause', { answers: { 200: answer(webhookOverview), 404: unknown } }],
    ['post', '/webhook/resume', 'Resume', { answers: { 200: answer(webhookOverview), 404: unknown } }],
    ['post', '/webhook/test', 'Send a test event', { answers: { 202: answer(deliveryDetail), 404: unknown } }],
    [
      'get',
      '/deliveries',
      'Deliveries, the newest first',
      {
        parameters: queries({ state: 'waiting, sending, delivered or failed.', file: 'A file id.', ...pageQueries }),
        answers: { 200: answer(deliveryPage), 400: badBody },
      },
    ],
    [
      'get',
      '/deliveries/{id}',
      'One delivery in full',
      { parameters: [id], answers: { 200: answer(deliveryDetail), 404: unknown } },
    ],
    [
      'post',
      '/deliveries/{id}/redeliver',
      'Send it again',
      { parameters: [id], answers: { 202: answer(deliveryDetail), 404: unknown } },
    ],
    [
      'post',
      '/deliveries/redeliver',
      'Send all that failed since a time again',
      { body: jsonBody(redeliverFailed), answers: { 202: answer(redelivered), 400: badBody } },
    ],
  ],
  'Sandbox tools': [
    [
      'post',
      '/tools/files',
      'A sample file at any progress (sandbox)',
      {
        body: jsonBody(sampleFile),
        answers: { 201: answer(fileId), 400: badBody, 402: { description: 'The card was declined.' } },
      },
    ],
    [
      'post',
      '/tools/files/{id}/progress',
      'Move its progress (sandbox)',
      { parameters: [id], body: jsonBody(movedProgress), answers: { 204: nothing, 400: badBody, 404: unknown } },
    ],
    [
      'post',
      '/tools/files/{id}/delay',
      'Make it late (sandbox)',
      { parameters: [id], body: jsonBody(sampleDelay), answers: { 204: nothing, 400: badBody, 404: unknown } },
    ],
    [
      'post',
      '/tools/card',
      'How the card behaves (sandbox)',
      { body: jsonBody(sampleCard), answers: { 204: nothing, 400: badBody } },
    ],
    [
      'post',
      '/tools/webhook',
      'Make deliveries fail (sandbox)',
      { body: jsonBody(sampleWebhook), answers: { 204: nothing, 400: badBody } },
    ],
    [
      'post',
      '/demo',
      'A new account with a test card (sandbox)',
      { authenticated: false, answers: { 201: answer(demoAccount) } },
    ],
  ],
}

/** The rest of Parley's own interface: webhooks with their deliveries, and the tools of the sandbox. */
export const webhookOperations = operationsOf(resources)
