import { href } from '#lib/api/base.ts'
import { pathOf } from '#lib/api/client.ts'
import { sessionValue } from './session-value.ts'

const TITLES: { readonly [name: string]: string } = {
  huggingface: 'Hugging Face',
  github: 'GitHub',
  'google-oauth2': 'Google',
  keycloak: 'Keycloak',
}

/** Returns an identity provider's display name. */
export const providerTitle = ({ name, title }: { readonly name: string; readonly title?: string }): string =>
  title ?? TITLES[name] ?? name

/** Returns the URL that starts a sign-in through a provider. It includes the current page's query. */
export const authenticationAddress = (name: string, search: string): string =>
  href(pathOf('GET /oauth2/providers/:provider/authentication', { provider: name }) + search)

/** Whether the web app runs in a frame of another page, for example in a Hugging Face Space. */
export const isEmbedded = (): boolean => window.top !== window

/**
 * The provider to which the user was redirected in order to link an account. If the browser can't store this, the page treats the
 * user's return as a sign-in, and the server may reject it.
 */
const linking = sessionValue<string>('postil linking')

/** Remembers, for this tab, that the redirect to a provider is for linking the provider's account, not for signing in. */
export const rememberLinking = (name: string): void => linking.write(name)

/** Returns whether the redirect to this provider was for linking its account, and clears that state. */
export const consumeLinking = (name: string): boolean => {
  const noted = linking.read()
  linking.write(null)
  return noted === name
}
