import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { architecture } from './debian-package.ts'
import { packTar, run, settleTree, sha256 } from './pack.ts'

/*
 * A container image as an OCI layout in a tar, which podman, docker (`skopeo copy oci-archive:…`) and Kubernetes' tools
 * read. Written here, without a daemon: two layers, a configuration and an index. The first layer is Debian with the
 * programs that Parley starts, by mmdebstrap; the second one Parley.
 */

const suite = 'bookworm'
const packages = 'ca-certificates,ffmpeg,pocketsphinx,pocketsphinx-en-us'
const imageUser = 10_001

/** A Debian root file system with Parley's user and directories. */
function makeBase(target: string, epochSeconds: number): void {
  const hooks = [
    `chroot "$1" useradd --system --uid ${imageUser} --no-create-home parley`,
    'chroot "$1" install -d -o parley -m 700 /data /scratch',
    // Says when and on what it was made.
    'rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/* "$1"/var/log/* "$1"/etc/machine-id "$1"/etc/hostname "$1"/etc/resolv.conf',
  ]
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epochSeconds) }
  const options = ['--variant=minbase', '--aptopt=Apt::Install-Recommends "false"', `--include=${packages}`, '--quiet']
  run('mmdebstrap', [...options, ...hooks.map((hook) => `--customize-hook=${hook}`), suite, target], { env })
}

type Descriptor = { mediaType: string; digest: string; size: number }

/** Files of an OCI layout, named by their hash. */
class Layout {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(join(folder, 'blobs/sha256'), { recursive: true })
  }

  add(content: string | Buffer, mediaType: string): Descriptor {
    const digest = createHash('sha256').update(content).digest('hex')
    writeFileSync(join(this.folder, 'blobs/sha256', digest), content)
    return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(content) }
  }

  async addFile(path: string, mediaType: string): Promise<Descriptor> {
    const digest = await sha256(path)
    const { size } = statSync(path)
    renameSync(path, join(this.folder, 'blobs/sha256', digest))
    return { mediaType, digest: `sha256:${digest}`, size }
  }
}

const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip'

/** A tar as a layer: compressed, and the hash of what is in it. */
async function addLayer(layout: Layout, tar: string): Promise<{ layer: Descriptor; diffId: string }> {
  const diffId = `sha256:${await sha256(tar)}`
  run('gzip', ['-n', '-6', '-f', tar])
  return { layer: await layout.addFile(`${tar}.gz`, layerType), diffId }
}

const node = '/parley/node_modules/.bin/node'
const health = "fetch('http://127.0.0.1:4600/healthz').then(({ ok }) => process.exit(ok ? 0 : 1))"
const seconds = (count: number) => count * 1_000_000_000

/** As `deploy/Dockerfile` has it. */
const settings = {
  User: String(imageUser),
  WorkingDir: '/parley',
  Env: [
    ...['PATH=/usr/local/bin:/usr/bin:/bin', 'HOST=0.0.0.0', 'PORT=4600', 'DATA_DIR=/data'],
    ...['METRICS_HOST=0.0.0.0', 'METRICS_PORT=9460'],
  ],
  ExposedPorts: { '4600/tcp': {}, '9460/tcp': {} },
  Volumes: { '/data': {} },
  Entrypoint: [node, '--max-semi-space-size=2', '/parley/src/service/parley.ts'],
  Cmd: ['serve'],
  Healthcheck: {
    Test: ['CMD', node, '-e', health],
    Interval: seconds(10),
    Timeout: seconds(5),
    StartPeriod: seconds(60),
  },
}

/** Configuration, manifest and index. @param created ISO 8601 */
function describeImage(
  layout: Layout,
  layers: readonly { layer: Descriptor; diffId: string }[],
  version: string,
  created: string,
): void {
  const config = {
    ...{ created, architecture: architecture(), os: 'linux', config: settings },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: [
      { created, created_by: `Debian ${suite}` },
      { created, created_by: `Parley ${version}` },
    ],
  }
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: layout.add(JSON.stringify(config), 'application/vnd.oci.image.config.v1+json'),
    layers: layers.map(({ layer }) => layer),
  }
  const described = layout.add(JSON.stringify(manifest), manifest.mediaType)
  const annotations = { 'org.opencontainers.image.ref.name': version }
  const index = { schemaVersion: 2, manifests: [{ ...described, annotations }] }
  writeFileSync(join(layout.folder, 'index.json'), JSON.stringify(index))
  writeFileSync(join(layout.folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
}

/**
 * Writes the image. Needs root, or user namespaces, and Debian's mmdebstrap.
 * @param program the staged program
 * @param base a root file system that was made before; null: it is made
 */
export async function writeImage(
  program: string,
  target: string,
  { version, epochSeconds, base }: { version: string; epochSeconds: number; base: string | null },
): Promise<void> {
  const work = mkdtempSync(`${target}-`)
  try {
    const layout = new Layout(join(work, 'image'))
    const baseTar = join(work, 'base.tar')
    if (base === null) makeBase(baseTar, epochSeconds)
    else copyFileSync(base, baseTar)
    mkdirSync(join(work, 'layer'))
    cpSync(program, join(work, 'layer/parley'), { recursive: true, verbatimSymlinks: true })
    settleTree(join(work, 'layer'), epochSeconds)
    packTar(join(work, 'program.tar.gz'), join(work, 'layer'), 'parley', epochSeconds)
    writeFileSync(join(work, 'program.tar'), gunzipSync(readFileSync(join(work, 'program.tar.gz'))))
    const layers = [await addLayer(layout, baseTar), await addLayer(layout, join(work, 'program.tar'))]
    describeImage(layout, layers, version, new Date(epochSeconds * 1_000).toISOString())
    settleTree(layout.folder, epochSeconds)
    run('tar', [
      '--sort=name',
      `--mtime=@${epochSeconds}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '-cf',
      target,
      '-C',
      layout.folder,
      'blobs',
      'index.json',
      'oci-layout',
    ])
  } finally {
    rmSync(work, { recursive: true })
  }
}
