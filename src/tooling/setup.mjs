/**
 * `npm run setup`: installs what Parley needs besides Node: system packages (automatically on Debian and Ubuntu, as
 * root or by sudo), then npm's. `-- --browsers` adds other vendors' browsers, `-- --scale` PostgreSQL, a Ceph gateway
 * and a proxy. Plain JavaScript, since it runs before anything is installed, on any Node from 20 on.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'

/** On other systems their paths differ, so their tests are skipped there. */
const wantsBrowsers = process.argv.includes('--browsers') && has('apt-get')
const wantsScale = process.argv.includes('--scale') && has('apt-get')

const isDebian = existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))

/**
 * Each tool: how to detect it, and the package that provides it on each system.
 * @type {{ found: () => boolean, apt: string, dnf?: string, brew?: string }[]}
 */
const tools = [
  { found: () => has('ffmpeg') && has('ffprobe'), apt: 'ffmpeg', dnf: 'ffmpeg', brew: 'ffmpeg' },
  {
    found: () => has('pocketsphinx_batch') && hasPocketsphinxModel(),
    apt: 'pocketsphinx pocketsphinx-en-us',
    dnf: 'pocketsphinx pocketsphinx-models',
    brew: 'cmu-pocketsphinx',
  },
  // For the tests: languages of the examples in /docs.
  { found: () => has('curl'), apt: 'curl', dnf: 'curl', brew: 'curl' },
  { found: () => has('python3'), apt: 'python3', dnf: 'python3', brew: 'python3' },
  // For the tests: their browser, a voice, and other programs that read our documents.
  { found: () => has('chromium') || has('chromium-browser'), apt: 'chromium', dnf: 'chromium', brew: 'chromium' },
  // It starts faster than the whole browser and needs less processor time. Debian has it, Ubuntu does not.
  { found: () => !isDebian || has('chromium-headless-shell'), apt: 'chromium-headless-shell' },
  { found: () => has('espeak-ng'), apt: 'espeak-ng', dnf: 'espeak-ng', brew: 'espeak-ng' },
  { found: () => has('pdftotext'), apt: 'poppler-utils', dnf: 'poppler-utils', brew: 'poppler' },
  { found: () => has('antiword'), apt: 'antiword', dnf: 'antiword', brew: 'antiword' },
  { found: () => has('catdoc'), apt: 'catdoc', dnf: 'catdoc', brew: 'catdoc' },
  { found: () => has('qpdf'), apt: 'qpdf', dnf: 'qpdf', brew: 'qpdf' },
  // Incremental backups.
  { found: () => has('restic'), apt: 'restic', dnf: 'restic', brew: 'restic' },
  // If no package of this name is available, its tests are skipped.
  { found: () => !has('apt-get') || has('odt2txt'), apt: 'odt2txt' },
  { found: () => !has('apt-get') || has('docx2txt'), apt: 'docx2txt' },
  { found: () => !has('apt-get') || has('pdf2txt'), apt: 'python3-pdfminer' },
  { found: () => !has('apt-get') || hasPython('webvtt'), apt: 'python3-webvtt' },
  { found: () => !has('apt-get') || hasPython('ttconv'), apt: 'python3-ttconv' },
  // With --browsers: the engines of Firefox and Safari.
  { found: () => !wantsBrowsers || has('firefox-esr'), apt: 'firefox-esr' },
  { found: () => !wantsBrowsers || has('WebKitWebDriver'), apt: 'webkit2gtk-driver' },
  { found: () => !wantsBrowsers || has('Xvfb'), apt: 'xvfb' },
  // With --scale: the database for several nodes.
  { found: () => !wantsScale || has('/usr/lib/postgresql/*/bin/initdb'), apt: 'postgresql' },
  // … and their S3 server.
  { found: () => !wantsScale || (has('radosgw') && has('ceph-osd')), apt: 'radosgw ceph-mon ceph-osd ceph-common' },
  // … and the proxy before them (`npm run cluster`).
  { found: () => !wantsScale || has('/usr/sbin/haproxy'), apt: 'haproxy' },
]

/** @param {string} command */
function has(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

/** @param {string} module of Debian's own Python */
function hasPython(module) {
  return spawnSync('/usr/bin/python3', ['-c', `import ${module}`]).status === 0
}

function hasPocketsphinxModel() {
  return [
    '/usr/share/pocketsphinx/model/en-us/en-us',
    '/usr/local/share/pocketsphinx/model/en-us/en-us',
    '/opt/homebrew/share/pocketsphinx/model/en-us/en-us',
  ].some((path) => existsSync(path))
}

/** Runs a command with its output shown; ends the set-up if it fails. @param {string} command @param {string[]} args */
function run(command, args) {
  console.log(`$ ${[command, ...args].join(' ')}`)
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) {
    console.error('Set-up stopped: the command above did not succeed.')
    process.exit(1)
  }
}

function installSystemPackages() {
  const missing = tools.filter((tool) => !tool.found())
  if (missing.length === 0) return
  const names = (/** @type {'apt' | 'dnf' | 'brew'} */ kind) => missing.flatMap((tool) => tool[kind]?.split(' ') ?? [])
  const isRoot = process.getuid?.() === 0
  const canSudo = !isRoot && spawnSync('sudo', ['-n', 'true']).status === 0
  if (has('apt-get') && (isRoot || canSudo)) {
    const prefix = isRoot ? [] : ['sudo']
    const apt = (/** @type {string[]} */ ...args) => {
      const [command = 'apt-get', ...rest] = [...prefix, 'apt-get', '-qq', ...args]
      run(command, rest)
    }
    apt('update')
    apt('install', '-y', '--no-install-recommends', ...names('apt'))
    return
  }
  console.error(
    [
      'These packages are missing and cannot be installed from here. Run the line of your system, then try again:',
      `  Debian, Ubuntu:  sudo apt-get install -y ${names('apt').join(' ')}`,
      `  Fedora:          sudo dnf install -y ${names('dnf').join(' ')}`,
      `  macOS:           brew install ${names('brew').join(' ')}`,
    ].join('\n'),
  )
  process.exit(1)
}

/** True when node_modules was installed from exactly this lock file. */
function npmPackagesAreInstalled() {
  const made = statSync('node_modules/.package-lock.json', { throwIfNoEntry: false })
  if (made === undefined || made.mtimeMs < statSync('package-lock.json').mtimeMs) return false
  const version = JSON.parse(readFileSync('package.json', 'utf8')).optionalDependencies.node
  const there = spawnSync('node_modules/.bin/node', ['--version'], { encoding: 'utf8' }).stdout?.trim()
  return there === `v${version}`
}

installSystemPackages()
if (npmPackagesAreInstalled()) console.log('The npm packages are installed.')
else run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
