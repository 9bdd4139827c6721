import { execSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { emptyPlace } from '../e2e/harness/server.ts'
import { startPostgres } from '../scripts/postgres.mjs'
import { dataset } from './data/packages.ts'
import { createAnnotator, createDataset, startBenchServer, wireValues } from './lib/world.ts'
import { annotatorLines, submitLine } from './measure/answers.ts'
import { sendAll } from './measure/bulk.ts'
const engine = process.argv[2] as 'sqlite' | 'postgres'
const records = Number(process.argv[3] ?? 10000)
const postgres = engine === 'postgres' ? await startPostgres({ name: `prof-${process.pid}`, durable: true }) : null
if (postgres) process.env.POSTIL_TEST_POSTGRES_URL = postgres.url
const data = await dataset(records)
let sample: any
for await (const r of data.records()) { sample = r; break }
const values = wireValues(sample)
const place = await emptyPlace(engine)
const server = await startBenchServer(engine, place)
const made = await createDataset(server.owner, data.settings, 'prof', 3)
const clients: any[] = []
for (let i = 0; i < 17; i++) clients.push(await createAnnotator(server, made, `a-${i}`))
const [spare, ...team] = clients
const cpu = () => {
  const out: Record<string, number> = {}
  for (const pid of readdirSync('/proc').filter((n) => /^\d+$/.test(n))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const f = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const name = Number(pid) === server.pid ? 'server' : Number(pid) === process.pid ? 'bench' : /postgres/.test(stat) ? 'postgres' : 'other'
      out[name] = (out[name] ?? 0) + Number(f[11]) + Number(f[12])
    } catch {}
  }
  return out
}
const diff = (a: any, b: any) => Object.fromEntries(Object.keys(b).map((k) => [k, (b[k] - (a[k] ?? 0)) / 100]))
const fake: any = { query: async () => 1, submit: async () => 1 }
let t = performance.now(), c = cpu()
const sent = await sendAll(server, made, data)
console.log('bulk s', ((performance.now() - t) / 1000).toFixed(2), diff(c, cpu()), await server.look())
c = cpu()
console.log((await submitLine(spare, made.id, values, fake)).p50, diff(c, cpu()))
if (postgres && process.env.SLOW) {
  const pg = (await import('pg')).default
  const admin = new pg.Client({ connectionString: postgres.url }); await admin.connect()
  await admin.query(`alter system set log_min_duration_statement = ${process.env.SLOW}`); await admin.query('select pg_reload_conf()'); await admin.end()
}
const lat: number[] = []
for (let i = 0; i < 200; i++) lat.push((await spare.call('POST', `/me/datasets/${made.id}/records/search?limit=10`, { filters: { and: [{ type: 'terms', scope: { entity: 'response', property: 'status' }, values: ['pending'] }, { type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['pending'] }] } })).ms)
lat.sort((a, b) => a - b)
console.log('page p50', lat[100], 'p95', lat[190])
if (process.env.EXPLAIN) {
  const pg = (await import('pg')).default
  const db = new pg.Client({ connectionString: place.databaseUrl! }); await db.connect()
  const me = (await spare.call('GET', '/me')).body as any
  const q = `select * from (select seq, shuffle from records
    where dataset_no = $1 and status = 'pending' and shuffle >= $2 and shuffle < $3
      and not exists (select 1 from responses
        where responses.dataset_no = $4 and responses.seq = records.seq and responses.user_id = $5)
    order by shuffle, seq limit $6) as bucket`
  const { rows: [b] } = await db.query('select (r.shuffle / 16777216)::int as b, count(*) from responses s join records r on r.dataset_no = s.dataset_no and r.seq = s.seq group by 1 order by 2 desc limit 1')
  console.log(b)
  const bucket = Number(b.b)
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await db.query(`set plan_cache_mode = ${mode}`)
    await db.query(`deallocate all`)
    await db.query(`prepare x(int8,int8,int8,int8,uuid,int8) as ${q}`)
    const { rows } = await db.query(`explain (analyze, buffers) execute x(1, ${bucket * 2 ** 24}, ${(bucket + 1) * 2 ** 24}, 1, '${me.id}', 10)`)
    console.log(mode); for (const r of rows) console.log(r['QUERY PLAN'])
  }
  await db.query('analyze')
  const { rows } = await db.query(`explain (analyze, buffers) execute x(1, ${bucket * 2 ** 24}, ${(bucket + 1) * 2 ** 24}, 1, '${me.id}', 10)`)
  for (const r of rows) console.log(r['QUERY PLAN'])
  await db.end(); process.exit()
}
if (process.env.SLOW) { for (const l of await annotatorLines(server, team, made.id, values, 4, fake)) console.log(l.what, l.value); execSync('cp /tmp/postil-postgres-*/log /tmp/pglog 2>/dev/null || true'); process.exit() }
c = cpu()
for (const l of await annotatorLines(server, team, made.id, values, 10, fake)) console.log(l.what, l.value, l.p50, l.p95)
console.log(diff(c, cpu()))
if (postgres) {
  try { console.log(execSync(`ps aux | grep -c 'postgres:'`).toString()) } catch {}
}
for (const cl of [...clients, server.owner]) cl.close()
await server.stop()
await place.drop()
await postgres?.stop()
