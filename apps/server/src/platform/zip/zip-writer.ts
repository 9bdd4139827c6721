import { crc32 } from 'node:zlib'

/** Means that the ZIP64 field contains the real number. This is the largest 32-bit number. */
const IN_ZIP64 = 0xffffffff
/** Version 4.5, the first with ZIP64. */
const VERSION = 45
/** The size follows the content, and the name is UTF-8. */
const FLAGS = 0x0808
/** January 1, 1980, the first date of the format. The date is fixed, so that the same data always produces the same bytes. */
const DATE = 0x21

type Member = { readonly path: Buffer; readonly offset: number; readonly crc: number; readonly size: number }

const signature = (letters: string): Buffer => Buffer.from(`PK${letters}`, 'latin1')

const headOf = (path: Buffer, { crc, size }: Pick<Member, 'crc' | 'size'>, extra: Buffer): Buffer => {
  const head = Buffer.alloc(26)
  head.writeUInt16LE(VERSION, 0)
  head.writeUInt16LE(FLAGS, 2)
  head.writeUInt16LE(DATE, 8)
  head.writeUInt32LE(crc, 10)
  head.writeUInt32LE(size, 14)
  head.writeUInt32LE(size, 18)
  head.writeUInt16LE(path.length, 22)
  head.writeUInt16LE(extra.length, 24)
  return head
}

const zip64 = (...numbers: readonly number[]): Buffer => {
  const extra = Buffer.alloc(4 + 8 * numbers.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * numbers.length, 2)
  for (const [i, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * i)
  return extra
}

const centralOf = ({ path, offset, crc, size }: Member): Buffer => {
  const extra = zip64(size, size, offset)
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE((0o100644 << 16) >>> 0, 6)
  tail.writeUInt32LE(IN_ZIP64, 10)
  // Made by a Unix program
  const madeBy = Buffer.from([VERSION, 3])
  return Buffer.concat([signature('\x01\x02'), madeBy, headOf(path, { crc, size: IN_ZIP64 }, extra), tail, path, extra])
}

const endOf = (count: number, start: number, length: number): Buffer => {
  const end64 = Buffer.alloc(52)
  end64.writeBigUInt64LE(44n, 0)
  end64.writeUInt16LE(VERSION, 8)
  end64.writeUInt16LE(VERSION, 10)
  end64.writeBigUInt64LE(BigInt(count), 20)
  end64.writeBigUInt64LE(BigInt(count), 28)
  end64.writeBigUInt64LE(BigInt(length), 36)
  end64.writeBigUInt64LE(BigInt(start), 44)
  const locator = Buffer.alloc(16)
  locator.writeBigUInt64LE(BigInt(start + length), 4)
  locator.writeUInt32LE(1, 12)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(IN_ZIP64, 8)
  end.writeUInt32LE(IN_ZIP64, 12)
  return Buffer.concat([signature('\x06\x06'), end64, signature('\x06\x07'), locator, signature('\x05\x06'), end])
}

/**
 * Writes an archive one file after another, as their content arrives. The writer doesn't compress the content, because it is
 * meant for files that are already compressed. Files can have any size.
 */
export const zipWriter = () => {
  const members: Member[] = []
  let written = 0
  let open: { readonly path: Buffer; readonly offset: number; crc: number; size: number } | null = null
  const count = (bytes: Uint8Array): Uint8Array => {
    written += bytes.length
    return bytes
  }
  return {
    begin: (name: string): Uint8Array => {
      const path = Buffer.from(name)
      open = { path, offset: written, crc: 0, size: 0 }
      const extra = zip64(0, 0)
      return count(Buffer.concat([signature('\x03\x04'), headOf(path, { crc: 0, size: IN_ZIP64 }, extra), path, extra]))
    },
    add: (bytes: Uint8Array): Uint8Array => {
      if (open !== null) {
        open.crc = crc32(bytes, open.crc)
        open.size += bytes.length
      }
      return count(bytes)
    },
    finish: (): Uint8Array => {
      if (open === null) return new Uint8Array()
      const sizes = Buffer.alloc(20)
      sizes.writeUInt32LE(open.crc, 0)
      sizes.writeBigUInt64LE(BigInt(open.size), 4)
      sizes.writeBigUInt64LE(BigInt(open.size), 12)
      members.push(open)
      open = null
      return count(Buffer.concat([signature('\x07\x08'), sizes]))
    },
    end: (): Uint8Array => {
      const central = Buffer.concat(members.map(centralOf))
      return Buffer.concat([central, endOf(members.length, written, central.length)])
    },
  }
}
