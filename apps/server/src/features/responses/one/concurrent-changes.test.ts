import type { TestUser } from '@postil/testkit/factories.ts'
import { runWhileRecordLocked } from '@postil/testkit/locked-record.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFixture, label, type ResponsesFixture } from '../testing/fixtures.ts'

// Only on PostgreSQL, because the embedded database has a single writer that never blocks for long.
const onPostgres = it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')

let fixture: ResponsesFixture
beforeAll(async () => {
  fixture = await createFixture()
})
afterAll(() => fixture.server.close())

onPostgres('a change to a dataset waits for answers that are being stored, but not for later ones', async () => {
  const { server, dataset, ann, bob, admin, as } = fixture
  const answer = (user: TestUser, record_id: string) =>
    as(user).post('/me/responses/bulk', { items: [{ record_id, status: 'submitted', values: label('a') }] })
  const [one, other] = [await fixture.newRecord(), await fixture.newRecord()]
  const ended = await runWhileRecordLocked(server.app.ctx.config.databaseUrl, one, [
    ['first answer', () => answer(ann, one)],
    ['change', () => as(admin).patch(`/datasets/${dataset}`, { guidelines: 'as of now' })],
    ['second answer', () => answer(bob, other)],
  ])
  expect(ended).toEqual(['change 200', 'first answer 200', 'second answer 200'])
  expect(await fixture.differences()).toEqual([])
})
