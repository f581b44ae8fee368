import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelId, PinnedFile, PinnedModel } from './pins.ts'
import { pinnedModels } from './pins.ts'

/** Returns a file's SHA-256 in hex. @throws if it cannot be read */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Cached hashes: a file that has changed since is rehashed before use. */
type Checked = Record<string, { bytes: number; modifiedMs: number }>

async function readStat(path: string) {
  return stat(path).catch(() => null)
}

/** The installed models: `<data>/models/<id>/<file>`. A file is used only if its hash is the pinned one. */
export class ModelFolder {
  readonly root: string
  readonly #models: readonly PinnedModel[]

  constructor(root: string, models: readonly PinnedModel[] = pinnedModels) {
    this.root = root
    this.#models = models
  }

  get models(): readonly PinnedModel[] {
    return this.#models
  }

  model(id: ModelId): PinnedModel {
    const model = this.#models.find((pinned) => pinned.id === id)
    if (model === undefined) throw new Error(`There is no model ${id}.`)
    return model
  }

  path(id: ModelId, file: PinnedFile): string {
    return join(this.root, id, file.name)
  }

  /** Returns the folder of a complete, undamaged model, else null. Rehashes files changed since the last check. */
  async find(id: ModelId): Promise<string | null> {
    return (await this.faults(id, false)).length === 0 ? join(this.root, id) : null
  }

  /**
   * Describes the faults of a model's files; empty if there are none.
   * @param anew rehash all files, including those already checked
   */
  async faults(id: ModelId, anew: boolean): Promise<string[]> {
    const checked = anew ? {} : await this.#readChecked(id)
    const faults: string[] = []
    let hashed = anew
    for (const file of this.model(id).files) {
      const path = this.path(id, file)
      const found = await readStat(path)
      if (found === null) faults.push(`${file.name} is missing`)
      else if (found.size !== file.bytes) faults.push(`${file.name} has ${found.size} bytes instead of ${file.bytes}`)
      else if (checked[file.name]?.bytes === found.size && checked[file.name]?.modifiedMs === found.mtimeMs) continue
      else {
        hashed = true
        if ((await sha256Of(path)) === file.sha256) {
          checked[file.name] = { bytes: found.size, modifiedMs: found.mtimeMs }
        } else faults.push(`${file.name} does not match its checksum`)
      }
    }
    if (hashed && faults.length === 0) await this.#writeChecked(id, checked)
    return faults
  }

  /** Installs a hashed file: flushes it, then renames it to its final path. */
  async place(id: ModelId, file: PinnedFile, from: string): Promise<void> {
    await mkdir(join(this.root, id), { recursive: true })
    await using handle = await open(from, 'r+')
    await handle.sync()
    await rename(from, this.path(id, file))
  }

  /**
   * Copies pinned files from a folder, matched by size and hash, whatever their names.
   * @returns copied files, as `parakeet-110m/tokens.txt`
   */
  async importFrom(directory: string): Promise<string[]> {
    const imported: string[] = []
    for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const { size } = await stat(path)
      const candidates = this.#models.flatMap(({ id, files }) => files.map((file) => ({ id, file })))
      const bySize = candidates.filter(({ file }) => file.bytes === size)
      if (bySize.length === 0) continue
      const sha256 = await sha256Of(path)
      for (const { id, file } of bySize) {
        if (file.sha256 !== sha256) continue
        await mkdir(join(this.root, id), { recursive: true })
        const aside = `${this.path(id, file)}.import`
        await copyFile(path, aside)
        await this.place(id, file, aside)
        imported.push(`${id}/${file.name}`)
      }
    }
    return imported
  }

  async #readChecked(id: ModelId): Promise<Checked> {
    try {
      return JSON.parse(await readFile(join(this.root, id, 'checked.json'), 'utf8')) as Checked
    } catch {
      return {}
    }
  }

  async #writeChecked(id: ModelId, checked: Checked): Promise<void> {
    const aside = join(this.root, id, `checked.json.${process.pid}`)
    try {
      await writeFile(aside, JSON.stringify(checked))
      await rename(aside, join(this.root, id, 'checked.json'))
    } catch {
      await rm(aside, { force: true }) // in a read-only folder everything is rehashed each time
    }
  }
}
