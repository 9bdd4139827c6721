import { type Settings, wireVersion } from '@postil/contract/info.ts'
import type { AppContext } from '#context.ts'

type Json = string | number | boolean | null | { readonly [key: string]: Json }
/** Drops the members without a value, as the wire wants. */
const present = <T extends { readonly [key: string]: unknown }>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

export const readSettings = ({ config }: AppContext): Settings => ({
  argilla: {
    share_your_progress_enabled: config.shareYourProgress,
    ...(config.space && { show_huggingface_space_persistent_storage_warning: config.storageWarning }),
  },
  ...(config.space && { huggingface: present(config.space) }),
})

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)}M`

export const readStatus = async (
  ctx: AppContext,
): Promise<{ version: string; search_engine: { [key: string]: Json }; memory: { [key: string]: Json } }> => {
  const { engine } = await ctx.store.health()
  const { rss, heapUsed, external } = process.memoryUsage()
  return {
    version: wireVersion,
    search_engine: { engine },
    memory: { rss: megabytes(rss), heap: megabytes(heapUsed), external: megabytes(external) },
  }
}

export const readVersion = () => ({ version: wireVersion })
