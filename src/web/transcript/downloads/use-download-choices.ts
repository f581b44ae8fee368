import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type JsonObject, mergePatch } from '../../../contract/common/merge-patch.ts'
import type { ExportFormat } from '../../../formats/format-table.ts'
import type { Session } from '../../base/api/client.ts'
import { changeSettings, settings, useSettings } from '../../base/api/settings.ts'
import { type Choices, type DownloadPreset, type KeptChoices, readChoices, readKeptChoices } from './choices.ts'

/** The choices of an open panel, and where they are stored. */
export type DownloadChoices = {
  /** what is stored was read: choices are not those of nobody */
  isRead: boolean
  format: ExportFormat
  choices: Choices
  presets: KeptChoices['presets']
  onFormat: (format: ExportFormat) => void
  onChoices: (choices: Choices) => void
  onPreset: (preset: DownloadPreset) => void
  /** stores presets by name, and removes those that are null; rejects if the service refuses */
  changePresets: (presets: Record<string, Omit<DownloadPreset, 'name'> | null>) => Promise<void>
  /** makes these choices the default for this format */
  remember: () => void
}

/** Stored with the account, or on this device if the service does not store settings. */
function useKept(session: Session): [stored: unknown, change: (patch: JsonObject) => Promise<void>, isRead: boolean] {
  const key = `parley.downloads.${session.environment}.${session.account}`
  const [device, setDevice] = useState<JsonObject>(() => JSON.parse(localStorage.getItem(key) ?? '{}'))
  const stored = useSettings(session)
  const { data, isPending } = useQuery(settings.query(session))
  if (data !== null) {
    return [stored.downloads, async (patch) => await changeSettings(session, { downloads: patch }), !isPending]
  }
  const change = async (patch: JsonObject) => {
    const next = mergePatch(device, patch)
    localStorage.setItem(key, JSON.stringify(next))
    setDevice(next)
  }
  return [device, change, true]
}

/** @param firstFormat selected first, and @param firstText its text */
export function useDownloadChoices(
  session: Session,
  firstFormat: ExportFormat,
  firstText: Choices['text'],
): DownloadChoices {
  const [stored, change, isRead] = useKept(session)
  const kept = readKeptChoices(stored)
  const [format, onFormat] = useState(firstFormat)
  const [text, setText] = useState(firstText)
  const [edited, setEdited] = useState<KeptChoices['formats']>({})
  const [captions, setCaptions] = useState<Choices['captions']>(null)
  const own = edited[format] ?? kept.formats[format] ?? readChoices({})
  const choices = { ...own, text, captions }
  const edit = (of: ExportFormat, to: Choices) => {
    setEdited({ ...edited, [of]: to })
    setText(to.text)
    setCaptions(to.captions)
  }
  return {
    isRead,
    format,
    choices,
    presets: kept.presets,
    onFormat,
    onChoices: (to) => edit(format, to),
    onPreset: (preset) => {
      onFormat(preset.format)
      edit(preset.format, preset.choices)
    },
    changePresets: (presets) => {
      const entries = Object.entries(presets).map(([name, preset]) => [
        name,
        preset && { ...preset.choices, format: preset.format },
      ])
      return change({ presets: Object.fromEntries(entries) })
    },
    // If storing fails, the user only has to choose again.
    remember: () => void change({ formats: { [format]: { ...choices, captions: null } } }).catch(() => {}),
  }
}
