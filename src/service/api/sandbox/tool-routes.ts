import {
  demoAccount,
  movedProgress,
  sampleDelay,
  sampleFile,
  sampleWebhook,
} from '../../../contract/account/sandbox.ts'
import { fileId } from '../../../contract/interface/metadata.ts'
import { openDemoAccount } from '../../accounts/auth/accounts.ts'
import { simulateFailure } from '../../accounts/webhooks/endpoint.ts'
import { fileRoute, openRoute, route } from '../http/account-route.ts'
import { nothing } from '../http/operation.ts'
import { getClientAddress } from '../http/require-key.ts'
import { createSample, createTalk, moveDelay, moveProgress } from './sample-files.ts'

const created = { 201: fileId, 402: 'The card was declined.', 409: 'It would exceed a budget.' }

/**
 * Sandbox only. `tools` bring about every state of the API, for developers of API clients; `demo`, without a key: a new
 * account with a test card.
 */
export const toolRoutes = [
  route(
    'post /tools/files',
    'Create a sample file at any progress (sandbox)',
    { body: sampleFile, ...created },
    ({ platform, caller, body }) => createSample(platform, caller.account, body),
  ),
  route('post /tools/talk', 'Create a finished sample file with sound (sandbox)', created, ({ platform, caller }) =>
    createTalk(platform, caller.account),
  ),
  fileRoute(
    'post /tools/files/{id}/progress',
    'Set its progress (sandbox)',
    { body: movedProgress, 204: nothing, 409: 'Progress never goes down.' },
    ({ platform, file, body }) => moveProgress(platform, file, body.progress_percent),
  ),
  fileRoute(
    'post /tools/files/{id}/delay',
    'Delay it (sandbox)',
    { body: sampleDelay, 204: nothing, 409: 'It is ready.' },
    ({ platform, file, body }) => moveDelay(platform, file.id, body.delay_reason),
  ),
  route(
    'post /tools/webhook',
    'Make deliveries fail (sandbox)',
    { right: 'manage', body: sampleWebhook, 204: nothing, 404: 'The account has no webhook.' },
    ({ platform, caller, body }) => simulateFailure(platform, caller.account.id, body.simulate_failure),
  ),
  openRoute(
    'post /demo',
    'Create a demo account with a test card (sandbox)',
    { 201: demoAccount },
    ({ platform, request }) => openDemoAccount(platform, getClientAddress(request, platform.config)),
  ),
]
