#include <accel/serialise.h>

#include <torch/serialize.h>

#include <cstring>
#include <sstream>

namespace accel {

void ByteReader::raw(void* data, size_t bytes) {
  TORCH_CHECK(bytes <= bytes_.size() - at_,
              "accel: an object from another process ends early: its type reads more than it "
              "writes; mend its Serialiser or its visit_fields");
  if (bytes > 0) {
    std::memcpy(data, bytes_.data() + at_, bytes);
  }
  at_ += bytes;
}

void Serialiser<std::string>::write(ByteWriter& out, const std::string& text) {
  out.write(static_cast<uint64_t>(text.size()));
  out.raw(text.data(), text.size());
}

void Serialiser<std::string>::read(ByteReader& in, std::string& text) {
  text.resize(in.read<uint64_t>());
  in.raw(text.data(), text.size());
}

namespace detail {

void write_tensor(ByteWriter& out, const torch::Tensor& tensor) {
  out.write(tensor.defined());
  if (tensor.defined()) {
    // A copy, for torch::save writes the whole memory that a view is a part of.
    std::ostringstream file;
    torch::save(tensor.detach().cpu().clone(), file);
    out.write(file.str());
  }
}

torch::Tensor read_tensor(ByteReader& in) {
  torch::Tensor tensor;
  if (in.read<bool>()) {
    std::istringstream file(in.read<std::string>());
    torch::load(tensor, file);
  }
  return tensor;
}

} // namespace detail
} // namespace accel
