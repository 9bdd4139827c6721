import type { NoteGroups } from '@postil/contract/notes.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { type Action, admins } from './action.ts'

/**
 * Creates a record with a note. Returns the parameters of a request for the notes: the dataset's ID and the name of the question.
 */
const notesOf = async (fixture: ApiFixture) => {
  await fixture.newRecord()
  return { params: { dataset_id: fixture.rich.dataset.id }, query: { question: `${fixture.word}-comment` } }
}

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
