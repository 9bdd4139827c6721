import type { Comment } from '@postil/contract/comments.ts'
import { type ApiFixture, must, type Who } from '../fixture.ts'
import { type Action, everyone, members } from './action.ts'

const ofRecord = async ({ newRecord }: ApiFixture) => ({ params: { record_id: (await newRecord()).id } })

/** Creates a user's comment on a new record. */
export const newComment = async (fixture: ApiFixture, who: Who | 'colleague') => {
  const { server, colleague, newRecord, word } = fixture
  const client = who === 'colleague' ? server.clientFor(colleague) : fixture.as(who)
  const record_id = (await newRecord()).id
  const { id } = must(await client.post<Comment>(`/records/${record_id}/comments`, { text: `${word} comment` }))
  return { record_id, comment_id: id }
}

const own = (id: string, body?: object): Action => ({
  id,
  what: "the caller's comment",
  allowed: members,
  request: async (fixture, who) => ({ params: await newComment(fixture, who), ...(body && { body }) }),
})
const ofOther = (id: string, what: string, allowed: Action['allowed'], body?: object): Action => ({
  id,
  what,
  allowed,
  missing: 'found first',
  request: async (fixture) => ({ params: await newComment(fixture, 'colleague'), ...(body && { body }) }),
})

export const commentActions: readonly Action[] = [
  { id: 'comments.list', allowed: members, missing: 'found first', request: ofRecord },
  {
    id: 'comments.create',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => ({ ...(await ofRecord(fixture)), body: { text: 'Is this irony?' } }),
  },
  ofOther('comments.update', "someone else's thread", members, { resolved: true }),
  ofOther('comments.update', "someone else's text", [], { text: 'another text' }),
  own('comments.update', { text: 'another text' }),
  ofOther('comments.delete', "someone else's comment", []),
  own('comments.delete'),
  { id: 'comments.mentions', allowed: everyone, request: () => ({}) },
]
