import { correctionChange, correctionRevision, keptCorrections } from '../../../contract/account/corrections.ts'
import {
  assignment,
  managedFileParts,
  managedFiles,
  staffList,
  workDelay,
  workRefund,
} from '../../../contract/work/managers.ts'
import {
  claim,
  claimHeader,
  deskPart,
  givenBack,
  newClaim,
  partPlayback,
  queuePage,
  renewal,
  reopening,
  submission,
  unheard,
} from '../../../contract/work/parts.ts'
import { staffOverview, workBasePath, workSteps } from '../../../contract/work/staff.ts'
import { answer, binary, nothing, operationsOf, pageQueries, queries, type Row, text } from '../http/operation.ts'

const claimNumber = { name: claimHeader, description: 'The number of the claim.', schema: text }
const ofClaim = [{ ...claimNumber, required: true }]
const managers = { 403: 'Only for managers.' }
const wav = { description: 'The sound, as a wav.', content: { 'audio/wav': binary } }
const ended = {
  409: 'The hold has ended, or somebody else has the part by now. Nothing was changed.',
  410: 'The customer has deleted the order.',
  428: `No ${claimHeader}.`,
}

const resources: Record<string, readonly Row[]> = {
  Work: [
    ['get /', 'Who of the staff signed in, and how parts are held', { 200: staffOverview }],
    [
      'get /queue',
      'What may be taken now',
      { 200: queuePage },
      { query: queries({ step: `One of ${workSteps.join(', ')}.`, ...pageQueries }) },
    ],
    [
      'post /claims',
      'Take a part, or the next one',
      {
        201: answer(claim, 'Taken.'),
        403: 'Another role is needed, or it is one’s own work to review.',
        404: 'It is gone, or there is nothing to take.',
        409: 'It is held by somebody else, or finished.',
      },
      { body: newClaim },
    ],
    [
      'post /parts/{id}/hold',
      'Renew the hold of a part, with what was heard since',
      { 200: claim, ...ended },
      { headers: ofClaim, body: renewal },
    ],
    ['get /parts/{id}', 'What whoever holds a part works with', { 200: deskPart, ...ended }, { headers: ofClaim }],
    [
      'get /parts/{id}/corrections',
      'What was typed in a part; its `ETag` is the revision',
      { 200: keptCorrections, 304: 'They are of the revision in `If-None-Match`.', ...ended },
      { headers: ofClaim },
    ],
    [
      'post /parts/{id}/corrections',
      'Save what was typed',
      { 200: correctionRevision, ...ended, 412: 'It was changed elsewhere; the answer’s `ETag` has the revision.' },
      {
        headers: [...ofClaim, { name: 'If-Match', required: true, description: 'The revision.', schema: text }],
        body: correctionChange,
      },
    ],
    [
      'get /parts/{id}/unheard',
      'Which stretches nobody has heard in this step',
      { 200: unheard, ...ended },
      { headers: ofClaim },
    ],
    [
      'post /parts/{id}/submit',
      'The step is done',
      { 204: nothing, ...ended, 412: 'The text is of another revision.' },
      { headers: ofClaim, body: submission },
    ],
    [
      'post /parts/{id}/reopen',
      'Have a part typed once more',
      { 204: nothing, 403: 'Only for managers, and whoever reviews or checks it.', 409: 'It is being typed.' },
      { headers: [claimNumber], body: reopening },
    ],
    [
      'post /parts/{id}/playback',
      'An address that plays the part',
      { 200: partPlayback, ...ended },
      { headers: ofClaim },
    ],
    [
      'get /parts/{id}/peaks',
      'The waveform of the part',
      { 200: { description: 'Peaks.', content: { 'application/octet-stream': binary } }, ...ended, 404: 'Not yet.' },
      { headers: ofClaim },
    ],
    [
      'get /media/{token}',
      'The sound of a part, with Range, until the hold ends',
      { 200: wav, 206: wav, 404: 'The hold has ended.', 416: 'No such bytes.' },
      { authenticated: false },
    ],
    ['get /files', 'Managers: unfinished orders, and what waits', { 200: managedFiles, ...managers }],
    ['get /files/{id}', 'Managers: the parts of an order, with their history', { 200: managedFileParts, ...managers }],
    [
      'post /files/{id}/delay',
      'Managers: put an order off, with a reason',
      { 204: nothing, ...managers, 409: 'It is finished.' },
      { body: workDelay },
    ],
    [
      'post /files/{id}/refund',
      'Managers: give an order up and refund it',
      { 204: nothing, ...managers, 409: 'It is delivered.' },
      { body: workRefund },
    ],
    [
      'post /parts/{id}/assign',
      'Managers: give a part to somebody alone, or to anybody',
      { 204: nothing, ...managers, 409: 'It is finished.' },
      { body: assignment },
    ],
    ['get /staff', 'Managers: the staff, and what they did', { 200: staffList, ...managers }],
    ['post /parts/{id}/return', 'Give a part back', { 204: nothing, ...ended }, { headers: ofClaim, body: givenBack }],
  ],
}

/** The work interface for the operator's staff, with separate keys. */
export const workOperations = operationsOf(workBasePath.slice(0, -1), resources)
