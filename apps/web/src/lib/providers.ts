import { href } from '#lib/api/base.ts'
import { path } from '#lib/api/client.ts'

const TITLES: { readonly [name: string]: string } = {
  huggingface: 'Hugging Face',
  github: 'GitHub',
  'google-oauth2': 'Google',
  keycloak: 'Keycloak',
}

/** What people call an identity provider. */
export const providerTitle = ({ name, title }: { readonly name: string; readonly title?: string }): string =>
  title ?? TITLES[name] ?? name

/** Where signing in through a provider begins; what the page was asked with goes along. */
export const authenticationAddress = (name: string, search: string): string =>
  href(`${path('/api/v1/oauth2/providers', name, 'authentication')}${search}`)

/** Whether this page is shown in a frame, as in a hosted space. */
export const isEmbedded = (): boolean => window.top !== window

const LINKING = 'postil linking'

/** Notes, for this tab, that the way to a provider is to link it and not to sign in. */
export const rememberLinking = (name: string): void => {
  try {
    sessionStorage.setItem(LINKING, name)
  } catch {
    // Without it the way back signs in, which the provider's account may not be able to.
  }
}

/** Whether the way to this provider was to link it; asked once. */
export const takeLinking = (name: string): boolean => {
  try {
    const noted = sessionStorage.getItem(LINKING)
    sessionStorage.removeItem(LINKING)
    return noted === name
  } catch {
    return false
  }
}
