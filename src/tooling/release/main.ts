import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { FullDiskError, orFullDisk, saysFullDisk } from '../../service/platform/full-disk.ts'
import { architecture, buildDebianPackage } from './debian-package.ts'
import { writeImage } from './oci-image.ts'
import { packTar, run, settleTree, sha256 } from './pack.ts'
import { stageProgram } from './stage-program.ts'

/*
 * `npm run release`: everything that an operator gets, into `release/`. From the same commit and the same packages the same
 * bytes: times are that of the commit.
 */

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'release' },
    /** a root file system of `mmdebstrap` for the image, instead of making one */
    base: { type: 'string' },
    /** `dist` is as it should be: pack it */
    built: { type: 'boolean', default: false },
    'no-image': { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '../../..')
const out = resolve(values.out)

/** When the commit was made, in seconds since 1970; SOURCE_DATE_EPOCH outside of a repository. */
function commitTime(): number {
  const given = process.env.SOURCE_DATE_EPOCH
  return Number(given ?? run('git', ['log', '-1', '--format=%ct'], { cwd: root }))
}

/** CycloneDX by npm, without when and by chance. */
function writeBom(target: string, epochSeconds: number): void {
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']
  const bom = JSON.parse(run('npm', args, { cwd: root })) as {
    metadata: { timestamp: string; component: { name: string } }
    serialNumber: string
  }
  // npm has the folder's.
  bom.metadata.component.name = 'parley'
  bom.metadata.timestamp = new Date(epochSeconds * 1_000).toISOString()
  const digest = createHash('sha256')
    .update(JSON.stringify({ ...bom, serialNumber: '' }))
    .digest('hex')
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest) ?? []
  bom.serialNumber = `urn:uuid:${a}-${b}-5${c}-8${d}-${e}`
  writeFileSync(target, `${JSON.stringify(bom, null, 2)}\n`)
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const epochSeconds = commitTime()
const name = `parley-${version}`
/** Made beside, and put in the place of the one before when it is whole. */
const part = `${out}.part`
const work = join(part, 'work')
const say = (what: string) => console.log(`${performance.now().toFixed(0).padStart(7)} ms  ${what}`)

async function make(): Promise<void> {
  if (!values.built) run(process.execPath, [join(root, 'src/tooling/build.ts'), '--force'], { cwd: root })
  say('built')
  const program = join(work, name)
  stageProgram(root, program)
  settleTree(program, epochSeconds)
  packTar(join(part, `${name}-linux-${architecture()}.tar.gz`), work, name, epochSeconds)
  say('tarball')
  const debian = `parley_${version}_${architecture()}.deb`
  buildDebianPackage(root, program, join(part, debian), version, epochSeconds)
  say('Debian package')
  if (values['no-image'] || (values.base === undefined && !existsSync('/usr/bin/mmdebstrap')))
    say('no image: mmdebstrap is not there, or it was not wanted')
  else {
    await writeImage(program, join(part, `${name}-image.tar`), { version, epochSeconds, base: values.base ?? null })
    say('image')
  }
  writeBom(join(part, `${name}.cdx.json`), epochSeconds)
  writeFileSync(join(part, 'CHANGELOG.md'), readFileSync(join(root, 'CHANGELOG.md')))
  rmSync(work, { recursive: true })
  const lines = await Promise.all(
    readdirSync(part)
      .sort()
      .map(async (file) => `${await sha256(join(part, file))}  ${file}\n`),
  )
  writeFileSync(join(part, 'SHA256SUMS'), lines.join(''))
  rmSync(out, { recursive: true, force: true })
  renameSync(part, out)
  say(`in ${out}:\n${lines.join('')}`)
}

if (existsSync(out) && statSync(out).dev !== statSync(dirname(out)).dev) {
  console.error(`${out} is a mount point, which no release can take the place of: --out ${join(out, name)} is in it.`)
  process.exit(1)
}
process.umask(0o022)
rmSync(part, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
try {
  await make()
} catch (error) {
  // Node's copies of folders call a full disk an input/output error.
  const isFull = saysFullDisk(String(error)) || (await orFullDisk(error, part)) instanceof FullDiskError
  rmSync(part, { recursive: true, force: true })
  if (!isFull) throw error
  console.error(`No release was made: the disk is full. It takes 1 GB beside ${out}, which is as it was.`)
  process.exitCode = 1
}
