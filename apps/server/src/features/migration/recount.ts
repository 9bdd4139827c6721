import type { CopiedRowCounts } from './copy-rows.ts'
import type { People } from './people.ts'
import type { Plan, PlannedDataset } from './plan.ts'
import type { ExistingData, Rows } from './queries.ts'
import type { CopiedRecords } from './records.ts'
import type { SourceClient } from './source/client.ts'
import { readAnswers, readTotal } from './source/read.ts'

/** A dataset's content counts. `images` counts the stored images that the source's records reference. */
export type Contents = Rows & { readonly images: number }
/** A dataset's counts at the source and here. */
export type Compared = {
  readonly id: string
  readonly name: string
  readonly workspace: string
  readonly source: Contents
  readonly here: Contents
  readonly equal: boolean
}
type Numbers = { readonly source: number; readonly here: number }
/**
 * `source`: how many users, workspaces and memberships the plan contains. `here`: how many of them exist on this server. `equal`:
 * whether all of them exist.
 */
export type ComparedPeople = {
  readonly users: Numbers
  readonly workspaces: Numbers
  readonly memberships: Numbers
  readonly equal: boolean
}

/**
 * @param seen the content of the source's pages. It supplies the counts that the source itself doesn't report
 * @param here the counts from the database
 * @throws MigrationError if the source can't be read
 */
export const compareDataset = async (
  client: SourceClient,
  { source: { id, name, status }, workspace }: PlannedDataset,
  seen: CopiedRecords & CopiedRowCounts,
  here: Contents,
): Promise<Compared> => {
  // For an unpublished dataset, the source server reports no answers.
  const { submitted, draft, discarded } = status === 'draft' ? seen.answers : await readAnswers(client, id)
  const records = await readTotal(client, id)
  const { suggestions, vectors, images, gold, comments, snapshots } = seen
  const source: Contents = {
    ...{ records, submitted, draft, discarded, suggestions, vectors, gold, comments, snapshots },
    images: images.size,
  }
  const keys = Object.keys(source) as (keyof Contents)[]
  return { id, name, workspace: workspace.name, source, here, equal: keys.every((key) => source[key] === here[key]) }
}

export const comparePeople = async (plan: Plan, people: People, here: ExistingData): Promise<ComparedPeople> => {
  const users = new Set(here.users.map(({ id }) => id))
  const workspaces = new Set(here.workspaces.map(({ id }) => id))
  const memberships = new Set(here.memberships.map(({ workspace_id, user_id }) => `${workspace_id} ${user_id}`))
  const count = { users: 0, members: 0, membersHere: 0 }
  for (const { source } of plan.users) if (users.has((await people.localId(source.id)) ?? '')) count.users += 1
  for (const { id, members } of plan.workspaces) {
    count.members += members.length
    for (const member of members) if (memberships.has(`${id} ${await people.localId(member)}`)) count.membersHere += 1
  }
  const compared = {
    users: { source: plan.users.length, here: count.users },
    workspaces: { source: plan.workspaces.length, here: plan.workspaces.filter(({ id }) => workspaces.has(id)).length },
    memberships: { source: count.members, here: count.membersHere },
  }
  return { ...compared, equal: Object.values(compared).every((one) => one.source === one.here) }
}
