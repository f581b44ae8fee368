import {
  correctionChange,
  correctionRevision,
  keptCorrections,
  maxChangeBytes,
} from '../../../contract/account/corrections.ts'
import {
  claim,
  claimHeader,
  deskPart,
  givenBack,
  newClaim,
  queuePage,
  renewal,
  reopening,
  submission,
  unheard,
} from '../../../contract/work/parts.ts'
import { workSteps } from '../../../contract/work/staff.ts'
import { giveBack, renewHold, requireHeld, takePart } from '../../workbench/claims.ts'
import { keptText, openDesk, readPartCorrections, savePart } from '../../workbench/desk.ts'
import { findUnheard, readHeard, stretchesToHear } from '../../workbench/parts.ts'
import { readQueue } from '../../workbench/queue.ts'
import { reopenPart } from '../../workbench/reopen.ts'
import { measureStep } from '../../workbench/step-record.ts'
import { submitPart } from '../../workbench/steps.ts'
import { answer, header, nothing } from '../http/operation.ts'
import { choiceQuery, pageQuery, readExpectedRevision } from '../http/read-request.ts'
import { ended, heldRoute, ofClaim, optionalClaim, readClaim, route } from './work-route.ts'

const queueQuery = { step: choiceQuery(workSteps, `One of ${workSteps.join(', ')}.`), ...pageQuery(50, 200) }

/** `queue`, `claims`, and `parts/:id` for the part's holder: its text, what was heard of it, the step's end. */
export const partRoutes = [
  route(
    'get /queue',
    'What may be taken now',
    { query: queueQuery, 200: queuePage },
    ({ platform: { db, clock, config }, staff, query: { step, cursor, limit } }) =>
      readQueue(db, staff, clock(), {
        ...{ step: step ?? undefined, cursor, limit, pay: config.workPay, checkers: config.workCheck },
      }),
  ),
  route(
    'post /claims',
    'Take a part, or the next one',
    {
      body: newClaim,
      201: answer(claim, 'Taken.'),
      403: 'Another role is needed, or it is one’s own work to review.',
      404: 'It is gone, or there is nothing to take.',
      409: 'It is held by somebody else, or finished.',
    },
    ({ platform: { db, clock, config }, staff, body }) => takePart(db, staff, body, clock(), config.workCheck),
  ),
  heldRoute(
    'post /parts/{id}/hold',
    'Renew the hold of a part, with what was heard since',
    { parameters: ofClaim, body: renewal, 200: claim, ...ended },
    ({ platform: { db, clock }, staff, claimed, body }) => renewHold(db, staff, claimed, body.heard, clock()),
  ),
  heldRoute(
    'get /parts/{id}',
    'What whoever holds a part works with',
    { parameters: ofClaim, 200: deskPart, ...ended },
    ({ platform, staff, claimed }) => openDesk(platform, staff, claimed),
  ),
  heldRoute(
    'get /parts/{id}/corrections',
    'What was typed in a part; its `ETag` is the revision',
    { parameters: ofClaim, 200: keptCorrections, 304: 'They are of the revision in `If-None-Match`.', ...ended },
    async ({ platform: { db, clock }, staff, claimed, request, reply }) => {
      const kept = await readPartCorrections(db, staff, claimed, clock())
      const etag = `"${kept.revision}"`
      reply.header('etag', etag)
      return request.headers['if-none-match'] === etag ? reply.code(304).send() : kept
    },
  ),
  heldRoute(
    'post /parts/{id}/corrections',
    'Save what was typed',
    {
      parameters: [...ofClaim, header('If-Match', 'The revision.', true)],
      body: correctionChange,
      200: correctionRevision,
      ...ended,
      412: 'It was changed elsewhere; the answer’s `ETag` has the revision.',
      http: { bodyLimit: maxChangeBytes },
    },
    async ({ platform: { db, clock }, staff, claimed, body: change, request, reply }) => {
      const expected = readExpectedRevision(request, 'the corrections')
      const revision = await savePart(db, staff, claimed, { expected, change }, clock())
      reply.header('etag', `"${revision}"`)
      return { revision }
    },
  ),
  heldRoute(
    'get /parts/{id}/unheard',
    'Which stretches nobody has heard in this step',
    { parameters: ofClaim, 200: unheard, ...ended },
    async ({ platform: { db, clock }, staff, claimed }) => {
      const part = await requireHeld(db, staff, ...claimed, clock())
      const sound = findUnheard(await readHeard(db, part), stretchesToHear(part))
      const figures = measureStep(part, await keptText(db, part.id), sound.share)
      const { heard_share: heard, doubts, blanks, words, changed_words, odd } = figures
      return { ...sound, heard, doubts, blanks, words, changed_words, odd }
    },
  ),
  heldRoute(
    'post /parts/{id}/submit',
    'The step is done',
    { parameters: ofClaim, body: submission, 204: nothing, ...ended, 412: 'The text is of another revision.' },
    ({ platform, staff, claimed, body }) => submitPart(platform, staff, claimed, body),
  ),
  route(
    'post /parts/{id}/reopen',
    'Have a part typed once more',
    {
      parameters: [optionalClaim],
      body: reopening,
      204: nothing,
      403: 'Only for managers, and whoever reviews or checks it.',
      409: 'It is being typed.',
      428: `The ${claimHeader} is no number.`,
    },
    ({ platform, staff, params, body, request }) => {
      const claim = request.headers[claimHeader.toLowerCase()] === undefined ? null : readClaim(request)
      return reopenPart(platform, staff, params.id, claim, body)
    },
  ),
]

/** `parts/:id/return`: the end of a claim without its step. */
export const returnRoutes = [
  heldRoute(
    'post /parts/{id}/return',
    'Give a part back',
    { parameters: ofClaim, body: givenBack, 204: nothing, ...ended },
    ({ platform: { db, clock }, staff, claimed, body }) => giveBack(db, staff, claimed, body.reason, clock()),
  ),
]
