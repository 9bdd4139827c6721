import type { History } from '@postil/contract/history.ts'
import type { Response as Answer } from '@postil/contract/responses.ts'
import { type ApiFixture, must, type Who } from '../fixture.ts'
import { type Action, admins, members } from './action.ts'

const changedRecord = async ({ newRecord, owner }: ApiFixture) => {
  const { id, responses = [] } = await newRecord()
  must(await owner.patch(`/records/${id}`, { metadata: {} }))
  must(await owner.put(`/responses/${responses[0]?.id ?? ''}`, { status: 'draft', values: {} }))
  return { record_id: id }
}

const lastChange = async ({ owner }: ApiFixture, record_id: string, subject: 'record' | 'response') => {
  const { items } = must(await owner.get<History>(`/records/${record_id}/history`))
  return { record_id, change_id: items.find((change) => change.subject === subject)?.id ?? '' }
}

/** Creates a user's answer to a new record and changes it. @returns the change */
export const changedAnswer = async (fixture: ApiFixture, who: Who) => {
  const { record_id, id, values } = await fixture.newAnswer(fixture.users[who])
  must(await fixture.as(who).put<Answer>(`/responses/${id}`, { status: 'discarded', values }))
  return lastChange(fixture, record_id, 'response')
}

export const historyActions: readonly Action[] = [
  {
    id: 'history.get',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => ({ params: await changedRecord(fixture) }),
  },
  ...(['record', 'response'] as const).map(
    (subject): Action => ({
      id: 'history.restore',
      what: subject === 'record' ? 'of the record' : "of someone else's answer",
      allowed: admins,
      missing: 'found first',
      request: async (fixture) => ({
        params: await lastChange(fixture, (await changedRecord(fixture)).record_id, subject),
        body: {},
      }),
    }),
  ),
  {
    id: 'history.restore',
    what: "of the caller's answer",
    allowed: members,
    request: async (fixture, who) => ({ params: await changedAnswer(fixture, who), body: {} }),
  },
]
