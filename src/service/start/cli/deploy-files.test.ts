import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { settings } from '../../platform/config.ts'
import { nodeFlags, runParley } from '../../testing/real-process.ts'
import { readConfig } from './read-config.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const programReads = new Set(Object.values(settings).map(([name]): string => name))
/** read by the AWS SDK */
const sdkReads = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

type Variables = Record<string, string>
/** A process started by the files in `deploy/`. */
type Process = { of: string; command: string; env: Variables; ports?: number[]; endsWithinSeconds?: number }

/** Parses `A=1 B=2`, or one per line. */
function assignments(text: string): Variables {
  const pairs = text.split('\n').filter((line) => !line.startsWith('#'))
  return Object.fromEntries(
    [...pairs.join(' ').matchAll(/([A-Z]\w*)=(\S*)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

const dockerfile = read('deploy/Dockerfile')
const ofImage = assignments(/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '')
const exposed = (/^EXPOSE (.*)$/m.exec(dockerfile)?.[1] ?? '').split(' ').map(Number)
const example = assignments(read('deploy/parley.env.example'))

type ComposeService = { image: string; environment: Variables; command?: string[]; stop_grace_period?: string }
const compose = parse(read('deploy/compose.yml'), { merge: true }) as { services: Record<string, ComposeService> }

function composeProcesses(): Process[] {
  const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'parley')
  return ours.map(([name, service]) => ({
    of: `compose.yml ${name}`,
    command: service.command?.[0] ?? 'serve',
    env: { ...ofImage, ...example, ...service.environment },
    endsWithinSeconds: Number.parseInt(service.stop_grace_period ?? '10', 10),
  }))
}

type Container = { args: string[]; env?: { name: string; value: string }[]; ports?: { containerPort: number }[] }
type Resource = {
  kind: string
  metadata: { name: string }
  data: Variables
  spec: { template: { spec: { containers: Container[]; terminationGracePeriodSeconds?: number } } }
}

function kubernetesProcesses(): Process[] {
  const all = parseAllDocuments(read('deploy/kubernetes.yml')).map((document) => document.toJS() as Resource)
  const shared = all.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
  const secret = { DATABASE_URL: example.DATABASE_URL ?? '' }
  return all
    .filter(({ kind }) => kind === 'Job' || kind === 'Deployment')
    .flatMap(({ kind, metadata, spec }) =>
      spec.template.spec.containers.map(({ args, env = [], ports }) => ({
        of: `kubernetes.yml ${metadata.name}`,
        command: args[0] ?? '',
        env: { ...ofImage, ...secret, ...shared, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
        ...(ports === undefined ? {} : { ports: ports.map(({ containerPort }) => containerPort) }),
        ...(kind === 'Job' ? {} : { endsWithinSeconds: spec.template.spec.terminationGracePeriodSeconds ?? 0 }),
      })),
    )
}

function systemdProcesses(): Process[] {
  return readdirSync(join(root, 'deploy/systemd')).map((name) => {
    const unit = read(`deploy/systemd/${name}`)
    const own = assignments(/^Environment=(.*)$/m.exec(unit)?.[1] ?? '')
    const isAlone = name === 'parley.service'
    return {
      of: name,
      command: /^ExecStart=.* \/opt\/parley\/src\/service\/parley\.ts (\w+)$/m.exec(unit)?.[1] ?? '',
      env: {
        ...(isAlone ? {} : { ...example, BLOBS: 's3://parley' }),
        ...own,
        ...(own.PARLEY_ROLE && { PARLEY_ROLE: 'api' }),
      },
      endsWithinSeconds: Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1] ?? 90),
    }
  })
}

const processes = [...composeProcesses(), ...kubernetesProcesses(), ...systemdProcesses()]

describe('the files of deploy/', () => {
  let help = ''
  beforeAll(async () => {
    help = (await runParley('.', '--help')).out
  })

  it('start two API nodes, two workers and a migration each', () => {
    const rolesOf = (list: Process[]) => list.map(({ command, env }) => env.PARLEY_ROLE ?? command).toSorted()
    expect(rolesOf(composeProcesses())).toEqual(['api', 'api', 'migrate', 'worker', 'worker'])
    expect(rolesOf(kubernetesProcesses())).toEqual(['api', 'migrate', 'worker'])
    expect(
      systemdProcesses()
        .map(({ command }) => command)
        .toSorted(),
    ).toEqual(['migrate', 'serve', 'serve'])
  })

  it.each(processes.map((one) => [one.of, one] as const))(
    '%s: a command, variables and ports of the program',
    (_, one) => {
      expect(help).toMatch(new RegExp(`^ {2}${one.command} `, 'm'))
      expect(Object.keys(one.env).filter((name) => !programReads.has(name) && !sdkReads.includes(name))).toEqual([])
      const config = readConfig({}, one.env)
      expect(config.role).toBe(one.env.PARLEY_ROLE ?? 'all')
      expect(one.ports ?? exposed).toEqual([4_600, 9_460])
      if (one.env.METRICS_PORT !== undefined) expect([config.port, config.metricsPort]).toEqual([4_600, 9_460])
      if (one.endsWithinSeconds !== undefined && one.command === 'serve')
        expect(one.endsWithinSeconds).toBeGreaterThan(35)
    },
  )

  it('the proxy asks the API nodes of compose.yml, on their port, a path that the program answers', () => {
    const proxy = read('deploy/haproxy.cfg')
    const servers = [...proxy.matchAll(/^ {2}server (\S+) (\S+):(\d+)$/gm)].map(([, , host = '', port]) => [host, port])
    const api = Object.entries(compose.services).filter(([, { environment }]) => environment?.PARLEY_ROLE === 'api')
    expect(servers).toEqual(api.map(([name]) => [name, ofImage.PORT]))
    const health = ['deploy/haproxy.cfg', 'deploy/Dockerfile', 'deploy/kubernetes.yml'].flatMap(
      (path) => read(path).match(/(?<=uri |path: |127\.0\.0\.1:4600)\/[a-z]+/g) ?? [],
    )
    expect(new Set(health)).toEqual(new Set(['/readyz', '/healthz']))
    const routes = read('src/service/api/http/ready-route.ts') + read('src/service/api/http/http-app.ts')
    for (const path of health) expect(routes).toContain(`app.get('${path}'`)
  })

  it('the program is started with the Node options of tests and benches', () => {
    const units = readdirSync(join(root, 'deploy/systemd')).map((name) => read(`deploy/systemd/${name}`))
    const { scripts } = JSON.parse(read('package.json'))
    const inImage = (/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '').replaceAll(/[",]/g, '')
    for (const line of [...units, scripts.start, scripts.parley, inImage])
      expect(line).toMatch(new RegExp(`node ${nodeFlags.join(' ')} \\S*src/service/parley\\.ts`))
  })

  it('alerts are what Prometheus reads: an expression, and a summary that no comma cuts', () => {
    type Rule = { alert: string; expr: string; annotations: object }
    const { groups } = parse(read('deploy/alerts.yml')) as { groups: { rules: Rule[] }[] }
    const rules = groups.flatMap((group) => group.rules)
    expect(rules.length).toBeGreaterThan(5)
    for (const { alert, expr, annotations } of rules) {
      expect([alert, typeof expr, Object.keys(annotations)]).toEqual([alert, 'string', ['summary']])
      expect(Object.values(annotations)[0]).toMatch(/\.$/)
    }
  })

  it('the image is built from this repository, with the Node of package.json', () => {
    const { scripts, optionalDependencies } = JSON.parse(read('package.json'))
    const copied = [...dockerfile.matchAll(/^COPY (?:--from=build )?(.*) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    )
    const own = copied.map((path) => path.replace('/parley/', '')).filter((path) => !/^(dist|node_modules)$/.test(path))
    expect(own.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(scripts).toHaveProperty(/npm run (\w+)/.exec(dockerfile)?.[1] ?? '')
    expect(optionalDependencies.node.split('.')[0]).toBe(/^FROM node:(\d+)/m.exec(dockerfile)?.[1])
    const [, ...entry] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]') as string[]
    expect(existsSync(join(root, entry.at(-1) ?? ''))).toBe(true)
    expect(dockerfile).toMatch(/^USER \d+$/m)
  })
})
