import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { homeQuery } from '#features/home/service.ts'
import { countPause } from '#lib/constants.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'

/** What is left of each dataset was counted without the answers that the server takes now: home counts anew, also one that is opened later. */
export const useHomeCounts = (): void => {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = outbox.onConfirmed(() => {
      clearTimeout(timer)
      timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: homeQuery().queryKey }), countPause)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [queryClient])
}
