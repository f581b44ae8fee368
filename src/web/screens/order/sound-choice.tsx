import { mostVoices, type OrderSound, parseOrderSound } from '../../../contract/interface/order-sound.ts'
import { announce } from '../../base/ui/announcer.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import type { SoundTrack } from '../../signed-in/uploads/media/bytes.ts'
import type { Upload } from '../../signed-in/uploads/tray/upload.ts'
import { uploadList } from '../../signed-in/uploads/uploads.ts'

/** `“Guest”, deu` or `track 2` */
function trackName({ title, language }: SoundTrack, index: number): string {
  const name = title === '' ? `track ${index + 1}` : `“${title}”`
  return language === '' ? name : `${name}, ${language}`
}

/** The choices of a recording's sound, by what is ordered; the first: nothing in particular. */
function listChoices(tracks: readonly SoundTrack[]): [sound: OrderSound | '', text: string][] {
  if (tracks.length === 0) {
    return [
      ['', '2 channels, a speaker each: mixed into one'],
      ['each', '2 channels, a speaker each: heard one by one'],
    ]
  }
  const usual = Math.max(
    0,
    tracks.findIndex(({ isDefault }) => isDefault),
  )
  const count = `${tracks.length} sound tracks`
  const names = tracks.map((track, index): [OrderSound, string] => [`${index + 1}`, trackName(track, index)])
  return [
    ['', `${count}: ${names[usual]?.[1]} is heard`],
    ...names
      .filter((_, index) => index !== usual)
      .map(([sound, name]): [OrderSound, string] => [sound, `${count}: ${name} is heard`]),
    ...(tracks.length <= mostVoices ? [['each', `${count}: each its own speaker`] as ['each', string]] : []),
  ]
}

/** What there is to choose from: the same for recordings that can be changed together. */
function choicesOf({ inspection }: Upload): string {
  const { tracks = [], isSplit = false } = inspection ?? {}
  return isSplit ? 'channels' : `${tracks.length} tracks`
}

type Props = { upload: Upload; selected: ReadonlySet<string> }

/** Of a recording with several sound tracks, or a channel a speaker: which is heard, also of all like it that are selected. */
export function SoundChoice({ upload, selected }: Props) {
  const { id, name, inspection, sound } = upload
  const { tracks = [], isSplit = false } = inspection ?? {}
  if (tracks.length === 0 && !isSplit) return null
  const choose = (value: string) => {
    const others = uploadList.all().filter((one) => selected.has(one.id) && choicesOf(one) === choicesOf(upload))
    const ids = selected.has(id) ? others.map((one) => one.id) : [id]
    uploadList.change(ids, { sound: parseOrderSound(value) })
    if (ids.length > 1) announce(`The sound of ${formatCount(ids.length, 'file')} was chosen`)
  }
  return (
    <select
      aria-label={`Sound of ${name}`}
      value={sound ?? ''}
      onChange={({ target }) => choose(target.value)}
      className="min-h-6 max-w-full justify-self-start rounded-sm bg-transparent text-xs font-semibold text-accent"
    >
      {listChoices(tracks).map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  )
}
