import { crc32, deflateRawSync } from 'node:zlib'

export type Member = {
  readonly name: string
  readonly content: string | Uint8Array
  /** Unix file mode: 0o120777 is a link. */
  readonly mode?: number
  /** The decompressed size that the archive declares instead of the true one. */
  readonly saysUnpacked?: number
  readonly encrypted?: boolean
  /** Whether to omit the flag that marks the name as UTF-8. */
  readonly isNameUnsaid?: boolean
}

const packed = (
  { name, content, mode = 0o100644, saysUnpacked, encrypted = false, isNameUnsaid = false }: Member,
  offset: number,
) => {
  const bytes = Buffer.from(content as Uint8Array)
  const data = deflateRawSync(bytes)
  const path = Buffer.from(name)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE((isNameUnsaid ? 0 : 0x800) | (encrypted ? 1 : 0), 2)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc32(bytes), 10)
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(saysUnpacked ?? bytes.length, 18)
  common.writeUInt16LE(path.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, data])
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE((mode << 16) >>> 0, 6)
  tail.writeUInt32LE(offset, 10)
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, path])
  return { local, central }
}

/** Creates a ZIP archive. Its members can have faults that no real program produces, such as a wrong declared size. */
export const makeZip = (members: readonly Member[]): Uint8Array => {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const member of members) {
    const { local, central } = packed(member, offset)
    locals.push(local)
    centrals.push(central)
    offset += local.length
  }
  const index = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...locals, index, end]))
}
