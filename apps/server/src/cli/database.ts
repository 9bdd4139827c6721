import { migrations } from '#platform/db/migrate.ts'
import { appliedRevisions, migrateStore } from '#platform/db/revisions.ts'
import type { CliCommand } from './command.ts'
import { CommandError, jsonOption, tell, textOf } from './command.ts'
import { columns } from './printable.ts'

const known = migrations.map(({ name }) => name)
const head = known.at(-1) ?? ''

export const databaseMigrate: CliCommand = {
  names: ['database migrate'],
  summary: 'Bring the schema up to date. The server does the same when it starts.',
  options: {
    revision: {
      type: 'string',
      default: 'head',
      shows: 'NAME',
      about: "'head' for the newest one [head], or one of those that 'database revisions' prints.",
    },
    ...jsonOption,
  },
  positionals: [],
  flags: 'data',
  run: async ({ config, values }) => {
    const revision = textOf(values, 'revision') ?? 'head'
    const wanted = revision === 'head' ? head : revision
    if (!known.includes(wanted)) {
      throw new CommandError(
        `This version knows no revision '${revision}': give head, or one of those that 'postil database revisions' prints.`,
      )
    }
    const ran = await migrateStore(config, wanted)
    const at = (await appliedRevisions(config)).at(-1) ?? ''
    const idle =
      wanted < at
        ? `Nothing to do: the schema is at ${at}, beyond ${wanted}, and never goes back.`
        : `Nothing to do: the schema is up to date at ${at}.`
    const line = ran.length > 0 ? `The schema was brought to ${at}; added: ${ran.join(', ')}.` : idle
    tell(values, { schema: at, added: ran }, line)
    return 0
  },
}

export const databaseRevisions: CliCommand = {
  names: ['database revisions'],
  summary: 'Print the revisions of the schema, oldest first, and which of them the store has.',
  options: jsonOption,
  positionals: [],
  flags: 'data',
  run: async ({ config, values }) => {
    const applied = new Set(await appliedRevisions(config))
    const rows = known.map((name) => [name, applied.has(name) ? 'applied' : 'not applied'])
    const newer = [...applied].filter((name) => !known.includes(name)).map((name) => [name, 'applied by a newer version'])
    const items = [...rows, ...newer].map(([name, state]) => ({ name, state }))
    tell(values, { items }, ...columns([...rows, ...newer]))
    return 0
  },
}
