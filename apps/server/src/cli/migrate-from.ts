import { join, resolve } from 'node:path'
import type { AppContext } from '#context.ts'
import {
  MigrationError,
  type MigrationFilter,
  migrate,
  planMigration,
  shownAddress,
  sourceAddress,
} from '#features/migration/public.ts'
import type { Config } from '#platform/config/read-config.ts'
import { FileStoreFault } from '#platform/files/define.ts'
import { type CliCommand, CommandError, printLine, textOf, UsageError, type Values } from './command.ts'
import { conclusionOf, leftOutLines, planDocument, planLines, recountLines } from './migrate-report.ts'
import { printable } from './output/printable.ts'
import { createProgress } from './output/progress.ts'
import { exitEarly, onSignal } from './signals.ts'
import { type PasswordFile, passwordFile } from './users/password-file.ts'
import { OPERATOR, recordInstanceAction, withContext } from './with-context.ts'

const PASSWORDS = 'passwords-of-copied-users.jsonl'

const printWarning = (line: string): void => {
  process.stderr.write(`${printable(line)}\n`)
}

const namesOf = (values: Values, name: string): readonly string[] => {
  const text = values[name]
  return Array.isArray(text) ? [...new Set(text.map(String))] : []
}

type MigrateArgs = {
  readonly url: string
  readonly apiKey: string
  readonly wanted: MigrationFilter
  readonly json: boolean
  readonly passwords: PasswordFile
}

const showPlan = async (ctx: AppContext, { json, ...options }: MigrateArgs): Promise<number> => {
  const plan = await planMigration(ctx, { ...options, onRetry: printWarning })
  if (json) printLine(JSON.stringify(planDocument(plan)))
  else {
    printLine(`${plan.source} runs version ${plan.version}. A migration would copy:`)
    for (const line of planLines(plan)) printLine(line)
    printLine(plan.problems.length > 0 ? 'Fix these problems first. Nothing can be copied until then.' : 'Nothing was written.')
  }
  return plan.problems.length > 0 ? 1 : 0
}

const printPasswordFile = ({ path, added }: PasswordFile): void => {
  if (added() === 0) return
  printWarning(
    `Passwords cannot be copied. New passwords for ${added()} users are in ${path}. Hand them out, then delete the file.`,
  )
}

const copy = async (ctx: AppContext, { json, passwords, ...options }: MigrateArgs): Promise<number> => {
  const progress = createProgress(process.stderr, { amount: (n) => `${n} records`, begins: printWarning })
  const onProgress = ({ dataset, done, total }: { readonly dataset: string; readonly done: number; readonly total: number }) =>
    progress.report(dataset, done, total)
  const onRetry = (sentence: string) => {
    progress.end()
    printWarning(sentence)
  }
  const ended = onSignal(() => {
    printPasswordFile(passwords)
    exitEarly('Stopped before the migration finished. Copied data was kept. Run the same command again to continue.')
  })
  try {
    await recordInstanceAction(ctx, 'instance.migrate-from', shownAddress(sourceAddress(options.url)))
    const done = await migrate(ctx, OPERATOR, { ...options, passwords, onProgress, onRetry })
    progress.end()
    if (json)
      printLine(JSON.stringify({ ...done, dry_run: false, passwords_file: passwords.added() > 0 ? passwords.path : null }))
    else {
      for (const note of done.notes) printLine(printable(note))
      for (const line of leftOutLines(done)) printLine(line)
      for (const line of recountLines(done)) printLine(line)
      printLine(conclusionOf(done))
    }
    return done.equal && done.left_out.length === 0 ? 0 : 1
  } finally {
    ended()
    progress.end()
    printPasswordFile(passwords)
  }
}

const argsOf = (config: Config, values: Values, url: string, env: NodeJS.ProcessEnv): MigrateArgs => {
  const apiKey = textOf(values, 'api-key') ?? env.ARGILLA_API_KEY
  if (apiKey === undefined) {
    throw new UsageError(`'postil migrate-from' requires --api-key KEY or ARGILLA_API_KEY. See 'postil migrate-from --help'.`)
  }
  return {
    url,
    apiKey,
    wanted: { datasets: namesOf(values, 'dataset'), workspaces: namesOf(values, 'workspace') },
    json: values.json === true,
    passwords: passwordFile(resolve(textOf(values, 'passwords') ?? join(config.dataDir, PASSWORDS))),
  }
}

export const migrateFrom: CliCommand = {
  options: {
    'api-key': {
      type: 'string',
      placeholder: 'KEY',
      about:
        'API key of an owner on that server. Other users of this machine can see it; to avoid that, set ARGILLA_API_KEY instead.',
    },
    dataset: {
      type: 'string',
      multiple: true,
      placeholder: 'NAME',
      about: 'Copy only this dataset and the users who work on it.',
    },
    workspace: {
      type: 'string',
      multiple: true,
      placeholder: 'NAME',
      about: 'Copy only this workspace, its datasets and its members.',
    },
    passwords: {
      type: 'string',
      placeholder: 'FILE',
      about: `File for the new passwords of copied users [${PASSWORDS} in the data folder].`,
    },
    'dry-run': { type: 'boolean', about: 'Show what would be copied, without copying.' },
    json: { type: 'boolean', about: 'Print a single JSON object.' },
  },
  positionals: ['url'],
  flags: 'data',
  store: 'made',
  run: async ({ config, values, positionals: [url = ''], env }) => {
    const args = argsOf(config, values, url, env)
    try {
      return await withContext(config, (ctx) => (values['dry-run'] === true ? showPlan : copy)(ctx, args))
    } catch (error) {
      if (error instanceof MigrationError) throw new CommandError(error.message.split('\n').map(printable).join('\n'))
      throw error instanceof FileStoreFault ? new CommandError(`${error.message}.`) : error
    }
  },
}
