import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { newCurrency } from '../accounts/auth/accounts.ts'
import { operatorCommand } from '../operations/operator-command.ts'
import { commandLine, readVersion } from '../platform/command-line.ts'
import type { Config } from '../platform/config.ts'
import { dataPaths } from '../platform/data-directory.ts'
import type { Db } from '../platform/db/open.ts'
import { findNearest } from '../platform/nearest-name.ts'
import { StartError } from '../platform/start-error.ts'
import { accountClose, accountErase, accountExport, accountList, accountReopen } from './cli/account-life.ts'
import { accountShow } from './cli/account-show.ts'
import { explainArguments } from './cli/explain-arguments.ts'
import { modelCommand } from './cli/model.ts'
import { moneyReconcile, moneyReport } from './cli/money.ts'
import {
  accountCreate,
  accountSet,
  delay,
  keyCreate,
  keyRevoke,
  ledgerEntries,
  migrateCommand,
  webhookSet,
  withDatabase,
} from './cli/operate.ts'
import { readConfig, readTarget, serveFlags } from './cli/read-config.ts'
import { serve } from './cli/serve.ts'
import { staffAdd, staffList, staffRevoke } from './cli/staff.ts'

const usage = `Usage: ${commandLine} COMMAND [--data DIR]

  serve [--port N] [--host ADDRESS] [--model accurate]   run the service
  serve --remote URL [--remote-sandbox URL]    the dashboard alone, in front of another service
  migrate                                      bring the database at DATABASE_URL up to date
  account create [--sandbox] [--name NAME] [--custom-formatting]
  account list | account show ACCOUNT
  account set ACCOUNT [--name NAME] [--discount PERCENT] [--currency CODE] [--[no-]custom-formatting]
  account close ACCOUNT | account reopen ACCOUNT   for 14 days it can be read, and come back
  account export ACCOUNT FILE [--no-recordings]  everything of it in one ZIP, while the service runs
  account erase ACCOUNT --confirm NAME         erase it and all that it has, now
  key create ACCOUNT [--name NAME]
  key revoke KEY                               the key, or its id from account show
  webhook set ACCOUNT URL                      prints the secret
  delay FILE --reason NAME [--until TIME]      mark it as delayed; a wrong NAME lists the reasons
  money reconcile --day DAY [--enter]          compare a day with Stripe; --enter: also enter what the books lack
  money report --month MONTH [--format csv|json]   what was charged, paid in, sent back, disputed and invoiced
  ledger ACCOUNT                               charges and refunds, one JSON object per line
  staff add NAME --role typist|reviewer|manager   prints a key for /work, this once
  staff list | staff revoke ID
  model fetch [default|accurate|speakers]      download speech models
  model import DIR                             copy models from a folder, matched by hash
  model list | model verify
  model measure [DIR]                          how many words the recognizer gets wrong: of NAME.wav with NAME.txt
  doctor                                       check everything that the service needs
  support-bundle [FILE]                        what a helper needs to know, without names, keys and words
  backup FILE                                  database and recordings in one tar file
  backup --to REPO | backup verify REPO        incremental, by restic; RESTIC_PASSWORD_FILE has the passphrase
  restore --from REPO [--at SNAPSHOT] …        the same restore, of a snapshot; the newest without --at
  restore FILE [--lose N] [--revoke-all-keys]  restore a backup; current data is moved aside. N: how many orders,
                                               corrections … newer than the backup may be lost; without it, it says
  restore FILE --into TARGET [--into TARGET]   a data directory; or an empty postgres://…, and s3://… or a directory

The data directory is ./data unless DATA_DIR or --data is set. All commands but serve can run beside a running server.`

const options = {
  ...serveFlags,
  name: { type: 'string' },
  discount: { type: 'string' },
  currency: { type: 'string' },
  reason: { type: 'string' },
  until: { type: 'string' },
  day: { type: 'string' },
  enter: { type: 'boolean', default: false },
  month: { type: 'string' },
  format: { type: 'string', default: 'table' },
  role: { type: 'string' },
  into: { type: 'string', multiple: true },
  confirm: { type: 'string' },
  recordings: { type: 'boolean', default: true },
  to: { type: 'string' },
  from: { type: 'string' },
  at: { type: 'string' },
  lose: { type: 'string', default: '0' },
  'revoke-all-keys': { type: 'boolean', default: false },
  sandbox: { type: 'boolean', default: false },
  'custom-formatting': { type: 'boolean' },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const
const flagNames = Object.keys(options)
const readArguments = () => parseArgs({ allowPositionals: true, allowNegative: true, options })

type Flags = ReturnType<typeof readArguments>['values']
type Command = {
  words: string
  operands: number
  run: (db: Db, operands: string[], flags: Flags, config: Config) => Promise<unknown>
}

/** Commands that work on the database. Each prints its result as JSON, a list as one line per entry. */
const commands: readonly Command[] = [
  {
    words: 'account create',
    operands: 0,
    run: (db, _, { sandbox, name, 'custom-formatting': customFormatting = false }, config) =>
      accountCreate(db, { sandbox, name: name ?? 'Account', customFormatting, currency: newCurrency(config) }),
  },
  {
    words: 'account set',
    operands: 1,
    run: async (db, [account = ''], { 'custom-formatting': customFormatting, ...flags }, config) => {
      await accountSet(db, account, { ...flags, customFormatting }, config.rates)
      return await accountShow(db, account, findAddress(config))
    },
  },
  { words: 'account list', operands: 0, run: (db) => accountList(db) },
  {
    words: 'account close',
    operands: 1,
    run: (db, [account = ''], _, config) => accountClose(db, account, findAddress(config)),
  },
  { words: 'account reopen', operands: 1, run: (db, [account = '']) => accountReopen(db, account) },
  {
    words: 'account export',
    operands: 2,
    run: (db, [account = '', file = ''], { recordings }, config) =>
      accountExport(db, config, [account, file], recordings),
  },
  {
    words: 'account erase',
    operands: 1,
    run: (db, [account = ''], { confirm }, config) => accountErase(db, account, confirm, findAddress(config)),
  },
  {
    words: 'account show',
    operands: 1,
    run: (db, [account = ''], _, config) => accountShow(db, account, findAddress(config)),
  },
  {
    words: 'key create',
    operands: 1,
    run: (db, [account = ''], { name }) => keyCreate(db, account, name ?? 'Command line key'),
  },
  { words: 'key revoke', operands: 1, run: (db, [key = '']) => keyRevoke(db, key) },
  { words: 'webhook set', operands: 2, run: (db, [account = '', url = '']) => webhookSet(db, account, url) },
  { words: 'delay', operands: 1, run: (db, [file = ''], { reason, until }) => delay(db, file, reason, until) },
  {
    words: 'staff add',
    operands: 1,
    run: (db, [name = ''], { role }, config) => staffAdd(db, name, role, findAddress(config)),
  },
  { words: 'staff list', operands: 0, run: (db) => staffList(db) },
  { words: 'staff revoke', operands: 1, run: (db, [id = '']) => staffRevoke(db, id) },
  {
    words: 'money reconcile',
    operands: 0,
    run: (db, _, { day, enter }, config) => moneyReconcile(db, { day, enter }, config),
  },
  {
    words: 'money report',
    operands: 0,
    run: (db, _, { month, format }, config) => moneyReport(db, { month, format }, config),
  },
  { words: 'ledger', operands: 1, run: (db, [account = '']) => ledgerEntries(db, account) },
]

/** Where people reach the service. */
function findAddress({ publicUrl, dataDir, host, port, tls }: Config): string {
  if (publicUrl !== null) return publicUrl.origin
  const { address } = dataPaths(dataDir)
  return existsSync(address) ? readFileSync(address, 'utf8') : `${tls === null ? 'http' : 'https'}://${host}:${port}`
}

/** Names the flag that was probably meant. @throws StartError for a flag that does not exist, or has no value */
function readKnownArguments() {
  try {
    return readArguments()
  } catch (error) {
    const [, dashed] = /^Option '(--[\w-]+)[^']*' argument is ambiguous/.exec(String((error as Error).message)) ?? []
    if (dashed !== undefined) {
      throw new StartError(`${dashed} needs a value; one that begins with a dash is written ${dashed}=-1.`, {
        cause: error,
      })
    }
    const [, given] = /^Unknown option '--?(?:no-)?([^']*)'/.exec(error instanceof Error ? error.message : '') ?? []
    if (given === undefined) throw error
    const nearest = findNearest(flagNames, given)
    const meant = nearest === undefined ? ' --help lists them all.' : ` Did you mean --${nearest}?`
    throw new StartError(`There is no flag --${given}.${meant}`, { cause: error })
  }
}

async function main(): Promise<void> {
  const { values: flags, positionals } = readKnownArguments()
  if (flags.version) return console.log(readVersion())
  if (flags.help || positionals.length === 0) {
    console.log(usage)
    return
  }
  if (positionals[0] === 'serve' && positionals.length === 1) return serve(readConfig(flags, process.env))
  if (positionals[0] === 'migrate' && positionals.length === 1) {
    return print(await migrateCommand(readConfig(flags, process.env)))
  }
  const ofModels =
    positionals[0] === 'model' ? modelCommand(readConfig(flags, process.env), positionals.slice(1)) : null
  if (ofModels !== null) return print(await ofModels)
  const target = flags.into === undefined ? readConfig(flags, process.env) : readTarget(flags, process.env, flags.into)
  if (!/^\d{1,9}$/.test(flags.lose)) throw new StartError(`--lose takes a number, not "${flags.lose}".`)
  const consent = { lose: Number(flags.lose), revokeAllKeys: flags['revoke-all-keys'] }
  const ofOperator = operatorCommand(target, positionals, flags.into !== undefined, consent, flags)
  if (ofOperator !== null) return print(await ofOperator)
  const given = positionals.join(' ')
  const command = commands.find(({ words }) => given === words || given.startsWith(`${words} `))
  const operands = positionals.slice(command?.words.split(' ').length)
  if (command === undefined || operands.length !== command.operands) {
    throw new StartError(explainArguments(usage, positionals))
  }
  const config = readConfig(flags, process.env)
  print(await withDatabase(config, (db) => command.run(db, operands, flags, config)))
}

function print(result: unknown): void {
  if (typeof result === 'object' && result !== null && 'warning' in result) console.error(result.warning)
  for (const line of Array.isArray(result) ? result : [result]) {
    console.log(typeof line === 'string' ? line : JSON.stringify(line))
  }
}

// All files created from here on are readable only by their owner: recordings, transcripts, webhook secrets.
process.umask(0o077)
try {
  await main()
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  console.error(error instanceof StartError || isUsage ? error.message : error)
  process.exitCode = 1
}
