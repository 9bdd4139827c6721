import type { TestUser } from '@postil/testkit/factories.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
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
  // NOTE: inside a transaction the list of connections stays what it was
  const [sql, watch] = [0, 1].map(() => new pg.Client({ connectionString: server.app.ctx.config.databaseUrl })) as [
    pg.Client,
    pg.Client,
  ]
  await Promise.all([sql.connect(), watch.connect()])
  const waiting = async (n: number) => {
    const all = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await watch.query(all)).rows).toHaveLength(n), { timeout: 10_000, interval: 20 })
  }
  const over: string[] = []
  const noted = async <T extends { readonly status: number }>(what: string, answer: Promise<T>) => {
    const { status } = await answer
    over.push(`${what} ${status}`)
  }
  const answer = (user: TestUser, record_id: string) =>
    as(user).post('/me/responses/bulk', { items: [{ record_id, status: 'submitted', values: label('a') }] })
  const [one, other] = [await office.newRecord(), await office.newRecord()]
  await sql.query('begin')
  await sql.query('select seq from records where id = $1 for update', [one])
  const asked = [noted('first answer', answer(ann, one))]
  try {
    await waiting(1)
    asked.push(noted('change', as(admin).patch(`/datasets/${dataset}`, { guidelines: 'as of now' })))
    await waiting(2)
    const second = noted('second answer', answer(bob, other))
    asked.push(second)
    await Promise.race([second, waiting(3)])
    expect(over).toEqual([])
  } finally {
    await sql.query('rollback')
    await Promise.all([...asked, sql.end(), watch.end()])
  }
  expect([...over].sort()).toEqual(['change 200', 'first answer 200', 'second answer 200'])
  expect(await office.differences()).toEqual([])
})
