import { wireVersion } from '@postil/contract/info.ts'
import { migrations } from '#platform/db/migrate.ts'
import { appliedRevisions, migrateStore } from '#platform/db/revisions.ts'
import type { CliCommand } from './command.ts'
import { CommandError, jsonOption, printResult, textOf } from './command.ts'
import { columns } from './output/printable.ts'

const known = migrations.map(({ name }) => name)
const head = known.at(-1) ?? ''

/** A version of the original server, such as `1.28` or `2.8.0`: two or three numbers. */
const TAG = /^\d{1,4}(\.\d{1,4}){1,2}$/
const numbersOf = (tag: string): number[] => tag.split('.').map(Number)

/**
 * Whether a revision is the version number of an Argilla release, but not of a release after the one whose API Postil implements.
 * Scripts for Argilla use version numbers as names of schemas. Postil's newest schema can store all data of those schemas.
 */
const isVersionTag = (text: string): boolean => {
  if (!TAG.test(text)) return false
  const given = numbersOf(text)
  const differing = numbersOf(wireVersion).map((current, i) => (given[i] ?? 0) - current)
  return (differing.find((by) => by !== 0) ?? 0) <= 0
}

export const databaseMigrate: CliCommand = {
  options: {
    revision: {
      type: 'string',
      default: 'head',
      placeholder: 'NAME',
      about: `A revision that 'database revisions' lists, or 'head' for the latest. An Argilla version up to ${wireVersion} also means head [head].`,
    },
    ...jsonOption,
  },
  positionals: [],
  flags: 'data',
  store: 'made',
  run: async ({ config, values }) => {
    const revision = textOf(values, 'revision') ?? 'head'
    const target = revision === 'head' || isVersionTag(revision) ? head : revision
    if (!known.includes(target)) {
      throw new CommandError(
        `Unknown revision '${revision}'. Use head, a revision that 'postil database revisions' lists, or an Argilla version up to ${wireVersion}.`,
      )
    }
    const ran = await migrateStore(config, target)
    const at = (await appliedRevisions(config)).at(-1) ?? ''
    const nothingToDo =
      target < at
        ? `Nothing to do: the schema is at ${at}, which is newer than ${target}. Downgrades are not supported.`
        : `Nothing to do: the schema is up to date at ${at}.`
    const line = ran.length > 0 ? `Upgraded the schema to ${at}. Applied: ${ran.join(', ')}.` : nothingToDo
    printResult(values, { schema: at, added: ran }, line)
    return 0
  },
}

export const databaseRevisions: CliCommand = {
  options: jsonOption,
  positionals: [],
  flags: 'data',
  store: 'made',
  run: async ({ config, values }) => {
    const applied = new Set(await appliedRevisions(config))
    const rows = known.map((name) => [name, applied.has(name) ? 'applied' : 'not applied'])
    const newer = [...applied].filter((name) => !known.includes(name)).map((name) => [name, 'applied by a newer version'])
    const items = [...rows, ...newer].map(([name, state]) => ({ name, state }))
    printResult(values, { items }, ...columns([...rows, ...newer]))
    return 0
  },
}
