# The service as `npm run dev` serves it, with its tax data loaded: for a look and for tests of your own shop.
# In production it runs on Cloudflare (docs/self-hosting.md). Keys and secrets are made at the first start.
#   docker build -t tax . && docker run -p 8787:8787 -v tax-state:/state tax
FROM node:24-bookworm-slim
WORKDIR /app
# workerd checks certificates of collectors' sources and of webhooks.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
COPY client/package.json client/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run dev -- --prepare --persist-to /state
VOLUME /state
EXPOSE 8787
CMD ["npm", "run", "dev", "--", "--ip", "0.0.0.0", "--persist-to", "/state"]
