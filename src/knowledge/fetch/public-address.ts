import ipaddr from 'ipaddr.js';

/** Azure's own services answer there; no registry lists it as special. */
const notPublic: ReadonlySet<string> = new Set(['168.63.129.16']);

/** All that is handed out to hosts (RFC 4291 2.4): `::/96`, where IPv4 addresses hide, is outside of it. */
const allocated: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * True for an address of the open internet. Those of a machine, a network, a cloud's inside, and those in which
 * another address is wrapped (mapped, translated, tunnelled) are not, nor is what is no address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || notPublic.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(allocated);
}
