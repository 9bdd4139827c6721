import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { homeQuery } from '#features/home/public.ts'
import { recountDelay } from '#lib/constants.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'

/** Marks the home page's remaining counts as stale when the server confirms answers, even if the home page opens later. */
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
