import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { loadFile } from '#lib/net/load-file.ts'

/**
 * A page whose code comes when it is opened. The router's own way loads the whole page again when that fails, also without a network,
 * where nothing would come back; here the error page says what is so.
 */
export const lazyPage = <K extends string>(load: () => Promise<{ readonly [name in K]: ComponentType }>, name: K) =>
  lazyRouteComponent(() => loadFile(load), name)
