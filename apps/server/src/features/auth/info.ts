import { type Settings, wireVersion } from '@postil/contract/info.ts'
import type { AppContext } from '#context.ts'

/** Removes properties without a value, as the wire format requires. */
const present = <T extends { readonly [key: string]: unknown }>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

export const readSettings = ({ config }: AppContext): Settings => ({
  argilla: {
    share_your_progress_enabled: config.shareYourProgress,
    ...(config.space && { show_huggingface_space_persistent_storage_warning: config.storageWarning }),
  },
  answers: { max_bytes: config.maxAnswer },
  ...(config.demoUser !== undefined && { demo: { username: config.demoUser } }),
  ...(config.space && { huggingface: present(config.space) }),
})

export const readVersion = () => ({ version: wireVersion })
