import { json } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { type CaptionReport, captionHouseIds } from '../../../contract/account/captions.ts'
import { readStoredOptions } from '../../../contract/interface/option-values.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { correctionsNow } from '../../text/corrections/corrected-text.ts'
import { renderByHouse } from '../../text/transcripts/render-transcript.ts'
import { queryChoice } from '../http/read-request.ts'
import { fileOf, type OfFile } from './correction-routes.ts'

/** @throws ServiceError 409 if no captions were ordered, or they are not ready */
function requireCaptions({ options_json, progress_percent }: FileRow): void {
  if (readStoredOptions(options_json).subtitle_file !== 'on') {
    throw new ServiceError(409, 'This order has no subtitle file. Its captions are not checked.')
  }
  if (progress_percent < 100) {
    throw new ServiceError(409, 'The captions are checked once the transcript is ready.')
  }
}

/** `files/:id/caption-report`: the report that the option `subtitle_file` includes besides the captions. */
export async function captionReportRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.get<OfFile>('files/:id/caption-report', async (request): Promise<CaptionReport> => {
    const file = await fileOf(platform, request)
    const house = queryChoice(request, 'house', captionHouseIds) ?? 'parley'
    requireCaptions(file)
    const corrections = await correctionsNow(platform, file)
    const report = (await json(
      await renderByHouse(platform, file, 'caption-report', house, corrections),
    )) as CaptionReport
    return { ...report, text: corrections === undefined ? 'original' : 'corrected' }
  })
}
