import * as z from 'zod/mini'
import { accountOverview } from '../../contract/account.ts'
import { apiKey, apiKeyList, apiKeyRename, createdApiKey, newApiKey } from '../../contract/account-keys.ts'
import { deleteWhenReady, fileChanges, filePage, playback } from '../../contract/account-pages.ts'
import { newCard, paymentMethod, paymentOverview } from '../../contract/account-payment.ts'
import { accountDefaults, accountSettings, newDefaults } from '../../contract/account-settings.ts'
import { ledgerPage, usage } from '../../contract/account-usage.ts'
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
  text,
  timeQueries,
  unknown,
} from './account-operation.ts'

const settingsAnswers = {
  200: answer(accountSettings, 'The settings as they are now.'),
  400: badBody,
  413: { description: 'The settings would be more than 64 KiB.' },
}

const lost = { description: 'The recording is lost on the service; the rest of the file is not affected.' }

const resources: Record<string, readonly Row[]> = {
  Account: [
    ['get', '/', 'Who signed in, and what the service offers', { answers: { 200: answer(accountOverview) } }],
    ['get', '/settings', 'Settings of the dashboard', { answers: { 200: answer(accountSettings) } }],
    ['put', '/settings', 'Replace the settings', { body: jsonBody(accountSettings), answers: settingsAnswers }],
    [
      'patch',
      '/settings',
      'Change parts of the settings',
      {
        description:
          'The body is a JSON merge patch (RFC 7396): members of objects are merged at every depth, null removes a ' +
          'member, everything else replaces what was there. Two that change different members lose nothing.',
        body: jsonBody(accountSettings, ['application/merge-patch+json', 'application/json']),
        answers: settingsAnswers,
      },
    ],
    [
      'put',
      '/defaults',
      'Change the default options',
      { body: jsonBody(newDefaults), answers: { 200: answer(accountDefaults), 400: badBody } },
    ],
  ],
  'API keys': [
    ['get', '/keys', 'List keys', { answers: { 200: answer(apiKeyList) } }],
    [
      'post',
      '/keys',
      'Make a key',
      {
        body: jsonBody(newApiKey),
        answers: { 201: answer(createdApiKey, 'Created. The key is shown this once.'), 400: badBody },
      },
    ],
    [
      'patch',
      '/keys/{id}',
      'Rename a key',
      { parameters: [id], body: jsonBody(apiKeyRename), answers: { 200: answer(apiKey), 400: badBody, 404: unknown } },
    ],
    [
      'delete',
      '/keys/{id}',
      'Revoke a key',
      {
        parameters: [id, ...queries({ current: '`yes` to revoke the key in use.' })],
        answers: { 204: nothing, 404: unknown, 409: { description: 'It is the key in use.' } },
      },
    ],
  ],
  Payment: [
    ['get', '/payment', 'The saved card', { answers: { 200: answer(paymentOverview) } }],
    [
      'put',
      '/payment',
      'Save a card',
      { body: jsonBody(newCard), answers: { 200: answer(paymentMethod), 400: badBody } },
    ],
    ['delete', '/payment', 'Remove the card; orders are then 402', { answers: { 204: nothing } }],
  ],
  Usage: [
    [
      'get',
      '/usage',
      'Sums of a time',
      { parameters: queries(timeQueries), answers: { 200: answer(usage), 400: badBody } },
    ],
    [
      'get',
      '/ledger',
      'Charges and refunds, the newest first',
      {
        parameters: queries({
          ...timeQueries,
          kind: '`charge` or `refund`.',
          search: 'In file names and transaction ids.',
          ...pageQueries,
        }),
        answers: { 200: answer(ledgerPage), 400: badBody },
      },
    ],
    [
      'get',
      '/ledger.csv',
      'The same as a table',
      {
        parameters: queries({
          ...timeQueries,
          kind: '`charge` or `refund`.',
          search: 'In file names and transaction ids.',
        }),
        answers: { 200: { description: 'CSV.', content: { 'text/csv; charset=utf-8': text } } },
      },
    ],
  ],
  'File pages': [
    [
      'get',
      '/files',
      'Metadata of many files',
      {
        parameters: queries({ ...pageQueries, since: 'A version: what changed after it, instead of a page.' }),
        answers: { 200: answer(z.union([filePage, fileChanges])), 400: badBody },
      },
    ],
    [
      'put',
      '/files/{id}/delete-when-ready',
      'Delete when it is ready',
      { parameters: [id], answers: { 200: answer(deleteWhenReady), 404: unknown } },
    ],
    [
      'delete',
      '/files/{id}/delete-when-ready',
      'Do not delete when it is ready',
      { parameters: [id], answers: { 200: answer(deleteWhenReady), 404: unknown } },
    ],
    [
      'post',
      '/files/{id}/playback',
      'A short-lived address that plays the recording',
      { parameters: [id], answers: { 200: answer(playback), 404: unknown, 410: lost } },
    ],
    [
      'get',
      '/media/{token}',
      'The recording itself, at the address that playback gave',
      {
        description: 'Without a key, for elements of a page that cannot send one. `Range` is obeyed.',
        authenticated: false,
        parameters: [
          { name: 'token', in: 'path', required: true, description: 'Good for two hours at most.', schema: text },
        ],
        answers: {
          200: { description: 'The recording.', content: { 'audio/*': text, 'video/*': text } },
          206: { description: 'The part that was asked for.', content: { 'audio/*': text, 'video/*': text } },
          404: { description: 'The address has run out, its key has ended, or the file is gone.' },
          410: lost,
          416: { description: 'The recording has no such part.' },
        },
      },
    ],
    [
      'get',
      '/files/{id}/peaks',
      'The waveform',
      {
        parameters: [id],
        answers: {
          200: {
            description: 'Peaks.',
            content: { 'application/octet-stream': { type: 'string', contentMediaType: 'application/octet-stream' } },
          },
          404: unknown,
        },
      },
    ],
    [
      'get',
      '/events',
      'Changes as they happen',
      {
        answers: {
          200: { description: 'Server-sent events; `Last-Event-ID` resumes.', content: { 'text/event-stream': text } },
        },
      },
    ],
  ],
}

/** Parley's own interface beside `/v1/`: account, keys, payment, usage, files. */
export const accountOperations = operationsOf(resources)
