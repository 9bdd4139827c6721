import type { NoteGroups } from '@postil/contract/notes.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { type Action, admins } from './action.ts'

/** The question of the rich dataset that collects notes. Its records have a note. */
const notesOf = async (fixture: ApiFixture) => {
  await fixture.newRecord()
  return { params: { dataset_id: fixture.rich.dataset.id }, query: { question: `${fixture.word}-comment` } }
}

/** Adds a label to the answers to the records with notes. */
export const noteLabel = async (fixture: ApiFixture) => {
  const { params, query } = await notesOf(fixture)
  const { items } = must(await fixture.owner.get<NoteGroups>(`/datasets/${params.dataset_id}/notes?question=${query.question}`))
  const label = { question: `${fixture.word}-tags`, value: `${fixture.word}-y` }
  return { params, body: { question: query.question, groups: items.map(({ key }) => key), label } }
}

export const noteActions: readonly Action[] = [
  { id: 'notes.groups', allowed: admins, missing: 'found first', request: notesOf },
  { id: 'notes.label', allowed: admins, missing: 'found first', request: noteLabel },
]
