import type { TestUser } from '@postil/testkit/factories.ts'
import { whileHeld } from '@postil/testkit/held-record.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { label, type Office, openOffice } from '../testing/office.ts'

// NOTE: the embedded store has one writer, who lets nobody wait for long
const onPostgres = it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')

let office: Office
beforeAll(async () => {
  office = await openOffice()
})
afterAll(() => office.server.close())

onPostgres('who changes a dataset waits for the answers that are being stored, and not for those that come later', async () => {
  const { server, dataset, ann, bob, admin, as } = office
  const answer = (user: TestUser, record_id: string) =>
    as(user).post('/me/responses/bulk', { items: [{ record_id, status: 'submitted', values: label('a') }] })
  const [one, other] = [await office.newRecord(), await office.newRecord()]
  const ended = await whileHeld(server.app.ctx.config.databaseUrl, one, [
    ['first answer', () => answer(ann, one)],
    ['change', () => as(admin).patch(`/datasets/${dataset}`, { guidelines: 'as of now' })],
    ['second answer', () => answer(bob, other)],
  ])
  expect(ended).toEqual(['change 200', 'first answer 200', 'second answer 200'])
  expect(await office.differences()).toEqual([])
})
