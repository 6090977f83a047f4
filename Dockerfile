# `node test/faults/image.ts` tests this file without a container engine: it runs the steps in empty folders, and starts
# the result as an engine does. See docs/measurements/image.md for its results.
#
# Both base images have the Node.js version of package.json. To pin their bytes, add the digest to each tag, as in
# `FROM node:24.21.0@sha256:…`. `docker buildx imagetools inspect node:24.21.0` prints the digest.
#
# docker build --build-arg PARLEY_GIT_SHA="$(git rev-parse HEAD)" -t parley .
# docker run --read-only --tmpfs /tmp -p 8080:8080 -e DATABASE_URL=… -e PARLEY_SECRET_KEY=… parley

FROM node:24.21.0 AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
# The build context has no .git, so the commit is an argument.
ARG PARLEY_GIT_SHA
# The image's user must be able to read these files, whatever their modes in the checkout, but not to change them.
RUN npm run build && chmod -R a+rX,go-w bin dist package.json

FROM node:24.21.0-slim
WORKDIR /parley
# The bundle contains all packages, so there is no node_modules.
COPY --from=build /build/package.json ./
COPY --from=build /build/bin/parley.js /build/bin/package.json ./bin/
COPY --from=build /build/dist ./dist
ENV NODE_ENV=production HOST=0.0.0.0
ARG PARLEY_GIT_SHA
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="A control plane for voice and chat agents: one typed tool per operation, served as MCP and as REST." \
      org.opencontainers.image.revision="$PARLEY_GIT_SHA" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-slim"
EXPOSE 8080
USER 10001:10001
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/healthz').then(({ status }) => status, ({ cause }) => cause.code).then((seen) => { console.log(seen); process.exit(seen === 200 ? 0 : 1); })"]
ENTRYPOINT ["node", "bin/parley.js"]
CMD ["serve"]
