import type { ForeignContents } from '@postil/contract/files/foreign-formats.ts'
import type { AnnotatorMapping } from '@postil/contract/files/imports.ts'
import { matchAnnotator } from '@postil/contract/files/match-annotator.ts'
import type { PossibleAnswerer } from '#features/imports/public.ts'
import { CommandError, UsageError } from '../command.ts'

/**
 * The values of `--as` and `--users`. `users` maps annotators to usernames. An empty username means that the person's annotations
 * aren't imported.
 */
type WantedAnnotators = { readonly as: 'answers' | 'suggestions'; readonly users: ReadonlyMap<string, string> }

/** In `--users`, the name that stands for every annotator whom the option doesn't name. */
const OTHERS = '*'

const pairIn = (text: string): readonly [string, string] => {
  const at = text.lastIndexOf('=')
  if (at <= 0) throw new UsageError(`'${text}' in --users has no username. Write ANNOTATOR=USERNAME.`)
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

/** @throws UsageError for invalid values */
export const wantedAnnotators = (as: string | undefined, users: string | undefined): WantedAnnotators => {
  if (as !== undefined && as !== 'answers' && as !== 'suggestions')
    throw new UsageError(`--as must be answers or suggestions. To choose how to read the file, use --read-as ${as}.`)
  if (as === 'suggestions' && users !== undefined) throw new UsageError('--users needs --as answers.')
  const pairs = users === undefined ? [] : users.split(',').map(pairIn)
  return { as: as ?? (users === undefined ? 'suggestions' : 'answers'), users: new Map(pairs) }
}

/**
 * Decides how each annotator's annotations are imported: as answers of the user whom `--users` names, as answers of the user
 * whose name matches, as suggestions, or not at all. Returns an empty list if all annotations are imported as suggestions.
 * @throws CommandError for an unknown user, or an annotator who isn't in the file
 */
export const chooseAnnotators = (
  { as, users }: WantedAnnotators,
  contents: ForeignContents | null,
  people: readonly PossibleAnswerer[],
): readonly AnnotatorMapping[] => {
  if (as === 'suggestions') return []
  const found = contents?.annotations ?? []
  const names = new Set(found.map(({ name }) => name))
  const others = [...users.keys()].filter((name) => name !== OTHERS && !names.has(name))
  const [absent] = others
  // Only the first rows of a large file have been read, so annotations by these people may follow later in the file
  if (absent !== undefined && contents?.whole !== false) {
    const known = [...names].filter((name) => name !== '').join(', ')
    throw new CommandError(
      `The file has no annotations by '${absent}'.${known === '' ? '' : ` It has annotations by: ${known}.`}`,
    )
  }
  return [...names, ...others].map((name): AnnotatorMapping => {
    const username = users.get(name)
    const wanted = username ?? (matchAnnotator(name, people) === null ? users.get(OTHERS) : undefined)
    if (wanted === '') return { name, as: 'nothing' }
    const user = wanted === undefined ? matchAnnotator(name, people) : people.find((one) => one.username === wanted)
    if (wanted !== undefined && user === undefined)
      throw new CommandError(`There is no user '${wanted}' in the workspace of the dataset.`)
    return user ? { name, as: 'answers', user_id: user.id } : { name, as: 'suggestions' }
  })
}

const called = (name: string): string => (name === '' ? 'annotations without a name' : name)

/** Human-readable lines that say how annotations will be imported. */
export const annotatorLines = (
  annotators: readonly AnnotatorMapping[],
  people: readonly PossibleAnswerer[],
): readonly string[] => {
  if (annotators.length === 0) return []
  const usernames = new Map(people.map(({ id, username }) => [id, username]))
  const lines = annotators.map((one) => {
    if (one.as === 'answers') return `  ${called(one.name)}: answers of ${usernames.get(one.user_id)}`
    return `  ${called(one.name)}: ${one.as === 'nothing' ? 'left out' : 'suggestions'}`
  })
  return ['Annotations become:', ...lines]
}
