import { Check, ChevronDown, ChevronUp, Clock, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { describeTiming } from '../../../formats/captions/caption-rules.ts'
import type { CueWarning } from '../../../formats/captions/cues.ts'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Kbd } from '../../base/ui/kbd.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { getCaptionRules } from '../../signed-in/library/caption-rules.ts'
import type { OpenDesk } from '../desk/open-desk.ts'
import { UndoButtons } from '../desk/undo-buttons.tsx'
import { describeFile } from '../downloads/make-file.ts'
import { fixAllTiming, useCaptionKeys } from './caption-acts.ts'
import { CaptionBar } from './caption-bar.tsx'
import { CaptionList } from './caption-list.tsx'
import { CaptionPicture } from './caption-picture.tsx'
import { CaptionStrip } from './caption-strip.tsx'
import { CaptionTools } from './caption-tools.tsx'
import { Captions } from './captions.ts'
import { RuleChoice } from './rule-choice.tsx'
import { changeRules, currentRules, type SetCaptionRules, setCaptionRules } from './set-rules.ts'
import './captions.css'
import { useShots } from './use-shots.ts'
import { VideoMenu } from './video-menu.tsx'

type Props = OpenDesk & { session: Session; record: FileRecord; onClose: () => void }

/**
 * The workbench of captions: all of them in a list to be edited in place, the picture with the caption at hand, and the
 * waveform.
 */
export function CaptionsView({ desk, corrections, correcting, session, record, onClose }: Props) {
  const rules = getCaptionRules(record)
  const [captions] = useState(() => new Captions(desk, corrections, describeFile(record), rules))
  const { table } = useSignal(captions.state)
  useEffect(() => captions.open(), [captions])
  useEffect(() => captions.keepTo(rules), [captions, rules])
  useCaptionKeys(captions, onClose)
  const { id, seconds } = record
  const isVideo = record.mediaKind === 'video'
  const shots = useShots(session, id, isVideo, rules)
  const putRules: SetCaptionRules = (after) => setCaptionRules(session, id, after)
  const setRules: SetCaptionRules = (after) =>
    changeRules(corrections, putRules, { before: currentRules(session, id, rules), after })
  return (
    <section aria-label="Captions of this transcript" className="captions-view absolute inset-0 z-20 grid bg-canvas">
      <div className="col-span-full flex flex-wrap items-center gap-2 border-b border-line px-5 py-2 phone:px-3">
        <h2 className="font-semibold phone:sr-only">Captions</h2>
        <RuleChoice rules={rules} mayChange={() => corrections.mayChange()} onChange={setRules} />
        <Count captions={captions} />
        <span className="flex">
          <UndoButtons corrections={corrections} />
        </span>
        <FaultSteps captions={captions} />
        <CaptionTools
          {...{ session, desk, captions, corrections, rules, shots: isVideo ? shots : null }}
          recordingSeconds={seconds}
          onRules={setRules}
          onPutRules={putRules}
        />
        {isVideo && <VideoMenu {...{ session, id, rules, corrections }} />}
        <IconButton label="Back to the text" tooltip={false} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      {table === null ? (
        <p className="captions-list p-5 text-ink-2">Making the captions…</p>
      ) : (
        <div className="captions-list grid min-h-0">
          <CaptionList captions={captions} correcting={correcting} />
        </div>
      )}
      <div className="captions-side grid min-h-0 border-l border-line phone:contents">
        <div className="captions-picture grid max-h-full min-h-0 place-items-center bg-[#000]">
          <CaptionPicture playback={desk.playback} {...{ captions, session, id, isVideo }} />
        </div>
        <div className="captions-at-hand grid min-h-0 border-t border-line bg-surface">
          <CaptionBar captions={captions} playback={desk.playback} />
        </div>
      </div>
      <div className="col-span-full phone:row-start-3">
        <CaptionStrip
          {...{ session, id, captions, shots: shots.shots }}
          durationSeconds={seconds}
          playback={desk.playback}
        />
      </div>
    </section>
  )
}

function Count({ captions }: { captions: Captions }) {
  const { cues, faults, table } = useSignal(captions.state)
  const timing = describeTiming(useSignal(captions.rules).timing)
  if (table === null) return <span className="ml-auto" />
  return (
    <p role="status" className="ml-auto truncate text-sm text-ink-2 tabular-nums phone:low:flex-1 phone:low:text-right">
      {formatCount(cues.length, 'caption')}
      {faults.size === 0
        ? ', all keep the rules'
        : `, ${countText(faults.size)} break${faults.size === 1 ? 's' : ''} a rule`}
      {timing !== null && ` · ${timing}`}
    </p>
  )
}

/** What other times may fix. */
const timedKinds: ReadonlySet<string> = new Set<CueWarning['kind']>([
  'too fast to read',
  'too short',
  'too close to the next',
])

function FaultSteps({ captions }: { captions: Captions }) {
  const { faults } = useSignal(captions.state)
  if (faults.size === 0) return <Check aria-hidden className="size-4 text-ok" />
  const isTimed = [...faults.values()].flat().some(({ kind }) => timedKinds.has(kind))
  return (
    <>
      {isTimed && (
        <Button size="sm" onClick={() => void fixAllTiming(captions)}>
          <Clock aria-hidden /> <span className="phone:sr-only">Fix timing</span>
        </Button>
      )}
      <IconButton label="Previous caption that breaks a rule" onClick={() => captions.stepFault(-1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label="Next caption that breaks a rule" onClick={() => captions.stepFault(1)}>
        <ChevronDown aria-hidden />
      </IconButton>
      <span className="phone:hidden">
        <Kbd>N</Kbd>
      </span>
    </>
  )
}
