import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { CheckList, searchFrom } from '#ui/controls/CheckList.tsx'

export type Person = { readonly id: string; readonly username: string }

type Props = {
  readonly label: string
  readonly people: readonly Person[]
  /** The IDs of the selected people, in the order in which they were selected. */
  readonly picked: readonly string[]
  readonly onPick: (ids: readonly string[]) => void
}

export const PeopleList = ({ label, people, picked, onPick }: Props) => {
  const { t } = useTranslation('features/assignments')
  const [searchText, setSearchText] = useState('')
  const wanted = searchText.trim().toLowerCase()
  return (
    <CheckList
      label={label}
      options={people
        .filter(({ username }) => username.toLowerCase().includes(wanted))
        .map(({ id, username }) => ({ value: id, text: username }))}
      picked={picked}
      onPick={(id) => onPick(picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id])}
      search={
        people.length < searchFrom
          ? null
          : { label: t('searchPeople'), placeholder: t('searchPeople'), searchText, onSearchText: setSearchText }
      }
    />
  )
}
