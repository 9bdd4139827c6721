import { useEffect } from 'react'

/** Sets the title of the window, most specific part first: "reviews · default · Postil". */
export const useDocumentTitle = (...parts: readonly string[]): void => {
  const title = [...parts.filter((part) => part !== ''), 'Postil'].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
