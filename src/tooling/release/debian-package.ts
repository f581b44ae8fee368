import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, settleTree } from './pack.ts'

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The architecture in Debian's words. */
export function architecture(): string {
  const known = architectures[process.arch]
  if (known === undefined) throw new Error(`No release for ${process.arch} yet.`)
  return known
}

const control = (version: string) => `Package: parley
Version: ${version}
Architecture: ${architecture()}
Maintainer: Parley <parley@localhost>
Section: sound
Priority: optional
Depends: adduser, ca-certificates, ffmpeg, libc6 (>= 2.34), libstdc++6, tar, util-linux
Recommends: pocketsphinx, pocketsphinx-en-us, restic
Suggests: postgresql, caddy, prometheus
Description: transcription service and its dashboard
 Takes recordings, makes transcripts of them, and shows both. It brings the Node that
 it runs on, and the built pages. Recordings stay on this machine unless told otherwise.
`

/**
 * Builds the package: the program in /opt/parley, units, `parley` on the path, and scripts that make its user. Upgrades
 * keep /var/lib/parley and /etc/parley; so does a purge, which says where they are.
 * @param root of the repository
 * @param program the staged program, which is moved into it
 * @param target the .deb
 */
export function buildDebianPackage(
  root: string,
  program: string,
  target: string,
  version: string,
  epochSeconds: number,
): void {
  const tree = `${program}-deb`
  rmSync(tree, { recursive: true, force: true })
  const at = (path: string) => join(tree, path)
  for (const path of ['DEBIAN', 'opt', 'usr/bin', 'usr/lib/systemd/system', 'etc/parley', 'usr/share/doc/parley']) {
    mkdirSync(at(path), { recursive: true })
  }
  cpSync(program, at('opt/parley'), { recursive: true, verbatimSymlinks: true })
  cpSync(join(root, 'deploy/systemd'), at('usr/lib/systemd/system'), { recursive: true })
  for (const unit of ['parley-backup.service', 'parley-backup.timer']) {
    cpSync(join(root, 'deploy/debian', unit), at(`usr/lib/systemd/system/${unit}`))
  }
  cpSync(join(root, 'deploy/debian/parley'), at('usr/bin/parley'))
  cpSync(join(root, 'deploy/debian/parley.env'), at('etc/parley/parley.env'))
  cpSync(join(root, 'deploy/pages'), at('usr/share/doc/parley/pages'), { recursive: true })
  cpSync(join(root, 'CHANGELOG.md'), at('usr/share/doc/parley/changelog.md'))
  cpSync(join(program, 'dist/notices.txt'), at('usr/share/doc/parley/copyright'))
  for (const script of ['preinst', 'postinst', 'prerm', 'postrm']) {
    writeFileSync(at(`DEBIAN/${script}`), readFileSync(join(root, 'deploy/debian', script)), { mode: 0o755 })
  }
  writeFileSync(at('DEBIAN/control'), control(version))
  writeFileSync(at('DEBIAN/conffiles'), '/etc/parley/parley.env\n')
  settleTree(tree, epochSeconds)
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epochSeconds) }
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', tree, target], { env })
  rmSync(tree, { recursive: true })
}
