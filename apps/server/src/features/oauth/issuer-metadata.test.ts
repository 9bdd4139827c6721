import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootWith } from './testing/signing-in.ts'

/** What stands in for the provider, and what its metadata says of its issuer. */
let host: Server
let issuer: string
let said: unknown
let server: TestServer
beforeAll(async () => {
  host = createServer((_, response) => {
    const metadata = { issuer: said, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
  })
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
  issuer = `http://127.0.0.1:${(host.address() as AddressInfo).port}/realm`
  server = await bootWith(`providers: [{name: company, issuer: "${issuer}", client_id: id, client_secret: a}]`)
})
afterAll(async () => {
  await server?.close()
  host?.close()
})

const begin = () => server.as(null).get('/oauth2/providers/company/authentication')

it('sends nobody to a provider whose metadata names another issuer than the configured one', async () => {
  for (const other of ['https://evil.example.org', `${issuer}/other`, issuer.replace('/realm', ''), undefined, null, [issuer]]) {
    said = other
    const { status, headers } = await begin()
    expect([other, status, headers.get('location'), headers.get('set-cookie')]).toEqual([other, 401, null, null])
  }
  said = issuer
  const answer = await begin()
  expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringContaining(`${issuer}/authorize?`)])
})
