import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type IdentityProvider, startIdentityProvider } from '@postil/testkit/identity-provider.ts'
import type { Page } from 'playwright-core'
import { emptyPlace, type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'

export type WithProviders = {
  readonly server: RunningServer
  readonly provider: IdentityProvider
  readonly close: () => Promise<void>
}

/** A server with a real identity provider beside it, which knows `ann` and `owner`; and one that never answers. */
export const startWithProviders = async (env: { readonly [name: string]: string } = {}): Promise<WithProviders> => {
  const provider = await startIdentityProvider({
    accounts: {
      ann: { preferred_username: 'ann', given_name: 'Ann' },
      owner: { preferred_username: 'owner' },
      nameless: {},
    },
  })
  const place = await emptyPlace()
  const file = join(place.dataDir, 'providers.yaml')
  const client = `client_id: ${provider.client.id}, client_secret: ${provider.client.secret}`
  writeFileSync(
    file,
    `allow_http_redirect: true
providers:
  - {name: huggingface, issuer: "${provider.issuer}", ${client}}
  - {name: company, title: "The Company", issuer: "${provider.issuer}", ${client}}
  - {name: closed, title: "Closed for ever", issuer: "http://127.0.0.1:1", ${client}}
allowed_workspaces: [{name: reviews}]
`,
  )
  const server = await startServer({ place, env: { ARGILLA_AUTH_OAUTH_CFG: file, ...env } })
  return {
    server,
    provider,
    close: async () => {
      await server.stop()
      await provider.close()
      await place.drop()
    },
  }
}

/** Says at the provider who one is. */
export const sayWho = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('textbox', { name: ui('features/administration:workspaces.name') }).fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}
