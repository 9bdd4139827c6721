import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { loadFile } from '#lib/net/load-file.ts'

/**
 * A page whose code loads when it is opened. The router's own implementation reloads the whole page when that fails, even
 * without a network, where nothing would load. With this one, the error page reports the problem.
 */
export const lazyPage = <K extends string>(load: () => Promise<{ readonly [name in K]: ComponentType }>, name: K) =>
  lazyRouteComponent(() => loadFile(load), name)
