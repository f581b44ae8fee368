import { claim, claimHeader, givenBack, newClaim, queuePage, renewal } from '../../contract/work-parts.ts'
import { staffOverview, workBasePath, workSteps } from '../../contract/work-staff.ts'
import { answer, nothing, operationsOf, pageQueries, queries, type Row, text } from './operation.ts'

const ofClaim = [{ name: claimHeader, required: true, description: 'The number of the claim.', schema: text }]
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
    ['post /parts/{id}/return', 'Give a part back', { 204: nothing, ...ended }, { headers: ofClaim, body: givenBack }],
  ],
}

/** What the operator's staff uses, with keys of its own. */
export const workOperations = operationsOf(workBasePath.slice(0, -1), resources)
