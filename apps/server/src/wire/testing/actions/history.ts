import type { History } from '@postil/contract/history.ts'
import type { Response as Answer } from '@postil/contract/responses.ts'
import { must, type Stage, type Who } from '../stage.ts'
import { type Action, admins, members } from './action.ts'

/** A record that was changed, and whose answer by the colleague was. */
const changedRecord = async ({ newRecord, owner }: Stage) => {
  const { id, responses = [] } = await newRecord()
  must(await owner.patch(`/records/${id}`, { metadata: {} }))
  must(await owner.put(`/responses/${responses[0]?.id ?? ''}`, { status: 'draft', values: {} }))
  return { record_id: id }
}

const lastChange = async ({ owner }: Stage, record_id: string, subject: 'record' | 'response') => {
  const { items } = must(await owner.get<History>(`/records/${record_id}/history`))
  return { record_id, change_id: items.find((change) => change.subject === subject)?.id ?? '' }
}

/** An answer of somebody to a record of its own, and its last change. */
export const changedAnswer = async (stage: Stage, who: Who) => {
  const { record_id, id, values } = await stage.newAnswer(stage.users[who])
  must(await stage.as(who).put<Answer>(`/responses/${id}`, { status: 'discarded', values }))
  return lastChange(stage, record_id, 'response')
}

export const historyActions: readonly Action[] = [
  {
    id: 'history.get',
    allowed: members,
    missing: 'found first',
    request: async (stage) => ({ params: await changedRecord(stage) }),
  },
  ...(['record', 'response'] as const).map(
    (subject): Action => ({
      id: 'history.restore',
      what: subject === 'record' ? 'of the record' : "of someone else's answer",
      allowed: admins,
      missing: 'found first',
      request: async (stage) => ({
        params: await lastChange(stage, (await changedRecord(stage)).record_id, subject),
        body: {},
      }),
    }),
  ),
  {
    id: 'history.restore',
    what: 'of the own answer',
    allowed: members,
    request: async (stage, who) => ({ params: await changedAnswer(stage, who), body: {} }),
  },
]
