import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { homeQuery } from '#features/home/public.ts'
import { recountDelay } from '#lib/constants.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'

/**
 * Answers that the server confirms make the remaining counts on the home page stale. Invalidates them, also if home opens
 * later.
 */
export const useHomeRefresh = (): void => {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = outbox.onConfirmed(() => {
      clearTimeout(timer)
      timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: homeQuery().queryKey }), recountDelay)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [queryClient])
}
